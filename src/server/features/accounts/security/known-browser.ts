/**
 * A cookie for browsers that have signed in to an account before. It is long-lived and survives a
 * sign-out. It grants no access: it only keeps wrong guesses of strangers from blocking this browser.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { Cookies } from '../../../http/caller.ts'
import type { Cookie } from '../../../http/reply.ts'
import { isSignature, signatureOf } from '../../../platform/signature.ts'

const cookieName = 'known_browser'
/** The longest lifetime that browsers allow. */
const lifetimeMs = 400 * 24 * 3600 * 1000

export function knownBrowserCookie(ctx: Context, userId: string, cookies: Cookies): Cookie {
  const id = knownBrowserOf(ctx, userId, cookies) ?? randomBytes(16).toString('base64url')
  const signature = signatureOf(ctx.config.sessionSecrets, 'known-browser', `${id}/${userId}`)
  return { name: cookieName, value: `${id}.${signature}`, maxAgeMs: lifetimeMs }
}

/** Removes the cookie from a browser whose account was deleted. */
export const forgottenBrowserCookie: Cookie = { name: cookieName, value: null }

/** Returns the browser's id, or null if it has not signed in to this account. */
export function knownBrowserOf(ctx: Context, userId: string, cookies: Cookies): string | null {
  const [id = '', signature = ''] = (cookies[cookieName] ?? '').split('.')
  const text = `${id}/${userId}`
  return isSignature(ctx.config.sessionSecrets, 'known-browser', text, signature) ? id : null
}
