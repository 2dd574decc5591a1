/**
 * Challenges for passkeys to sign. A challenge contains its expiry and a signature for the asker, so
 * issuing one needs no storage. Only used challenges are stored.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { Cookies } from '../../../http/caller.ts'
import type { Cookie } from '../../../http/reply.ts'
import { isSignature, sha256, signatureOf } from '../../../platform/signature.ts'
import { insertUsedChallenge } from './passkey-queries.ts'

/** The account that adds a passkey, or the browser that signs in with one. */
type Asker = { readonly account: string } | { readonly browser: string }

const lifetimeMs = 5 * 60 * 1000
const cookieName = 'passkey_browser'
const clientData = z.object({ challenge: z.string().max(500) })

export function newChallenge(ctx: Context, asker: Asker): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(16).toString('base64url')
  const text = `${nonce}.${ctx.now().getTime() + lifetimeMs}`
  const signature = signatureOf(ctx.config.sessionSecrets, 'passkey', signedText(text, asker))
  return new Uint8Array(Buffer.from(`${text}.${signature}`))
}

/**
 * Checks the challenge in a browser's answer and marks it as used, even if the sign-in then fails.
 * Returns null when the challenge is not ours, was issued to another asker, has expired or was used
 * before.
 */
export async function useChallenge(
  ctx: Context,
  clientDataJson: string,
  asker: Asker,
): Promise<string | null> {
  const challenge = challengeIn(clientDataJson)
  if (challenge === null) return null
  const parts = Buffer.from(challenge, 'base64url').toString().split('.')
  const [nonce = '', expiry = '', signature = ''] = parts
  const text = signedText(`${nonce}.${expiry}`, asker)
  if (parts.length !== 3 || !isSignature(ctx.config.sessionSecrets, 'passkey', text, signature))
    return null
  const expiresAt = new Date(Number(expiry))
  if (expiresAt <= ctx.now()) return null
  const isFirst = await insertUsedChallenge(ctx, sha256(`${nonce}.${expiry}`), expiresAt)
  return isFirst ? challenge : null
}

/** Identifies the browser by a separate cookie, because there is no sign-in yet. */
export function browserOf(cookies: Cookies): { browser: string } | null {
  const browser = cookies[cookieName]
  return browser !== undefined && /^[\w-]{22}$/.test(browser) ? { browser } : null
}

export function newBrowser(): { asker: Asker; cookie: Cookie } {
  const browser = randomBytes(16).toString('base64url')
  return { asker: { browser }, cookie: browserCookie(browser) }
}

export function browserCookie(browser: string): Cookie {
  return { name: cookieName, value: browser, maxAgeMs: lifetimeMs }
}

function signedText(text: string, asker: Asker): string {
  const name = 'account' in asker ? `account/${asker.account}` : `browser/${asker.browser}`
  return `${text}/${name}`
}

function challengeIn(clientDataJson: string): string | null {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()))
      .challenge
  } catch {
    return null
  }
}
