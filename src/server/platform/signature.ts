/**
 * Short texts that only this service could have made. Each purpose has a key of its own, so that a
 * signature made for one is worth nothing for another.
 */
import type { KeyObject } from 'node:crypto'
import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'

type Purpose =
  | 'cookie'
  | 'media-url'
  | 'media-grant'
  | 'oidc-attempt'
  | 'oidc-secret'
  | 'passkey'
  | 'reporter'

// 144 bits: past guessing, and whole bytes with none left over.
const signatureCharacters = 24

export function signatureOf(secret: string, purpose: Purpose, text: string): string {
  const digest = createHmac('sha256', keyOf(secret, purpose)).update(text).digest('base64url')
  return digest.slice(0, signatureCharacters)
}

const keys = new Map<string, KeyObject>()

/** Derived once for each secret and purpose: every request of someone signed in needs one. */
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

/** Compares the text, not the bytes that it stands for: there is exactly one right signature. */
export function isSignature(
  secret: string,
  purpose: Purpose,
  text: string,
  claimed: string,
): boolean {
  return isSameText(claimed, signatureOf(secret, purpose, text))
}

/** Without telling by time how much of it was right. */
export function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** What is kept of a secret that only its bearer should have. */
export function sha256(content: string | Uint8Array): Buffer {
  return hash('sha256', content, 'buffer')
}
