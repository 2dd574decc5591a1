/** Remembers a visit with `?r=<code>` until the visitor has an account (contract 3.9). */
import type { Cookie } from '../../http/reply.ts'
import type { PendingReferral } from '../credits/credits.ts'

const cookieNames = ['pending_referral', 'referral_source', 'referral_source_id']
const codePattern = /^[A-Z0-9]{8}$/
const sharePage = /^\/shared\/([0-9a-f-]{36})$/i
const shareCode = /^[0-9a-f-]{36}$/i
const rememberedMs = 30 * 24 * 3600 * 1000

export function referralCookies(address: string): Cookie[] {
  const url = URL.parse(address, 'http://page.invalid')
  const code = url?.searchParams.get('r')?.toUpperCase()
  if (!url || code === undefined || !codePattern.test(code)) return []
  const [, sharedCode] = sharePage.exec(url.pathname) ?? []
  return [
    cookie('pending_referral', code),
    cookie('referral_source', sharedCode ? 'session_share' : 'direct'),
    sharedCode
      ? cookie('referral_source_id', sharedCode)
      : { name: 'referral_source_id', value: null },
  ]
}

/** Returns the referral in a visitor's cookies, or null. */
export function pendingReferral(
  cookies: Readonly<Record<string, string | undefined>>,
): PendingReferral | null {
  const code = cookies['pending_referral']
  if (code === undefined || !codePattern.test(code)) return null
  const sourceId = cookies['referral_source_id']
  return cookies['referral_source'] === 'session_share' && shareCode.test(sourceId ?? '')
    ? { code, source: 'session_share', sourceId: sourceId ?? null }
    : { code, source: 'direct', sourceId: null }
}

/** Deletes those of the three cookies that the visitor has. */
export function forgetReferral(cookies: Readonly<Record<string, string | undefined>>): Cookie[] {
  return cookieNames
    .filter((name) => cookies[name] !== undefined)
    .map((name) => ({ name, value: null }))
}

function cookie(name: string, value: string): Cookie {
  return { name, value, maxAgeMs: rememberedMs }
}
