/**
 * A cookie that tells a browser which has signed in to an account before, for a long time and past
 * the sign-out. It opens nothing: it only keeps strangers' wrong guesses from counting against it.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { Cookies } from '../../../http/caller.ts'
import type { Cookie } from '../../../http/reply.ts'
import { isSignature, signatureOf } from '../../../platform/signature.ts'

const cookieName = 'known_browser'
/** As long as browsers keep any cookie. */
const lifetimeMs = 400 * 24 * 3600 * 1000

export function knownBrowserCookie(ctx: Context, userId: string, cookies: Cookies): Cookie {
  const id = knownBrowserOf(ctx, userId, cookies) ?? randomBytes(16).toString('base64url')
  const signature = signatureOf(ctx.config.sessionSecrets, 'known-browser', `${id}/${userId}`)
  return { name: cookieName, value: `${id}.${signature}`, maxAgeMs: lifetimeMs }
}

/** Removes the cookie from a browser whose account is gone. */
export const forgottenBrowserCookie: Cookie = { name: cookieName, value: null }

/** Returns the browser's id, or null where it has not signed in to this account. */
export function knownBrowserOf(ctx: Context, userId: string, cookies: Cookies): string | null {
  const [id = '', signature = ''] = (cookies[cookieName] ?? '').split('.')
  const text = `${id}/${userId}`
  return isSignature(ctx.config.sessionSecrets, 'known-browser', text, signature) ? id : null
}
