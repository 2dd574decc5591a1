/** A visit with `?r=<code>` is remembered until the visitor has an account (contract 3.9). */
import type { Cookie } from '../../http/reply.ts'

const rememberedMs = 30 * 24 * 3600 * 1000

export function referralCookies(address: string): Cookie[] {
  const url = new URL(address, 'http://page.invalid')
  const code = url.searchParams.get('r')?.toUpperCase()
  if (code === undefined || !/^[A-Z0-9]{8}$/.test(code)) return []
  const [, shareCode] = /^\/shared\/([0-9a-f-]{36})$/i.exec(url.pathname) ?? []
  return [
    cookie('pending_referral', code),
    cookie('referral_source', shareCode ? 'session_share' : 'direct'),
    shareCode
      ? cookie('referral_source_id', shareCode)
      : { name: 'referral_source_id', value: null },
  ]
}

function cookie(name: string, value: string): Cookie {
  return { name, value, maxAgeMs: rememberedMs }
}
