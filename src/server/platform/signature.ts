/**
 * Signs short texts, so that only this service can make them. Each purpose has its own key, so a signature
 * for one purpose is not valid for another.
 */
import type { KeyObject } from 'node:crypto'
import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'

type Purpose =
  | 'cookie'
  | 'known-browser'
  | 'media-url'
  | 'media-grant'
  | 'oidc-attempt'
  | 'oidc-secret'
  | 'passkey'
  | 'reporter'

/** The site's secret, and the previous ones during a rotation: the first signs, all verify. */
export type SigningSecrets = readonly [current: string, ...previous: string[]]

// 144 bits: too many to guess, and a whole number of bytes.
const signatureCharacters = 24

export function signatureOf([current]: SigningSecrets, purpose: Purpose, text: string): string {
  const digest = createHmac('sha256', keyOf(current, purpose)).update(text).digest('base64url')
  return digest.slice(0, signatureCharacters)
}

/** Returns the signature by each secret, the current one first. */
export function allSignaturesOf(
  [current, ...previous]: SigningSecrets,
  purpose: Purpose,
  text: string,
): readonly [current: string, ...previous: string[]] {
  const signedBy = (secret: string) => signatureOf([secret], purpose, text)
  return [signedBy(current), ...previous.map(signedBy)]
}

const keys = new Map<string, KeyObject>()

/** Derives a key once per secret and purpose: every request of a signed-in user needs one. */
function keyOf(secret: string, purpose: Purpose): KeyObject {
  const name = `${purpose}/${secret}`
  let key = keys.get(name)
  if (!key) {
    const bytes = createHmac('sha256', secret).update(`lanternist/${purpose}/1`).digest()
    key = createSecretKey(bytes)
    keys.set(name, key)
  }
  return key
}

export function isSignature(
  secrets: SigningSecrets,
  purpose: Purpose,
  text: string,
  claimed: string,
): boolean {
  return signerOf(secrets, purpose, text, claimed) !== null
}

/**
 * Returns the secret that made a signature, for callers that derive more from it. Compares the text instead
 * of the decoded bytes: each secret has exactly one valid signature text.
 */
export function signerOf(
  secrets: SigningSecrets,
  purpose: Purpose,
  text: string,
  claimed: string,
): string | null {
  const isSigner = (secret: string) => isSameText(claimed, signatureOf([secret], purpose, text))
  return secrets.find(isSigner) ?? null
}

/** Compares in constant time, so that timing does not reveal a partial match. */
export function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Returns the hash that is stored in place of a bearer secret. */
export function sha256(content: string | Uint8Array): Buffer {
  return hash('sha256', content, 'buffer')
}
