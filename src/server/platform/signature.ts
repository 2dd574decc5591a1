/**
 * Short texts that only this service could have made. Each purpose has a key of its own, so that a
 * signature made for one is worth nothing for another.
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

/** The site's secret, and the one before it while it is being changed: the first signs, all verify. */
export type SigningSecrets = readonly [current: string, ...previous: string[]]

// 144 bits: past guessing, and whole bytes with none left over.
const signatureCharacters = 24

export function signatureOf([current]: SigningSecrets, purpose: Purpose, text: string): string {
  const digest = createHmac('sha256', keyOf(current, purpose)).update(text).digest('base64url')
  return digest.slice(0, signatureCharacters)
}

/** What each of the secrets makes of it, the current one first. */
export function allSignaturesOf(
  [current, ...previous]: SigningSecrets,
  purpose: Purpose,
  text: string,
): readonly [current: string, ...previous: string[]] {
  const signedBy = (secret: string) => signatureOf([secret], purpose, text)
  return [signedBy(current), ...previous.map(signedBy)]
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

export function isSignature(
  secrets: SigningSecrets,
  purpose: Purpose,
  text: string,
  claimed: string,
): boolean {
  return signerOf(secrets, purpose, text, claimed) !== null
}

/**
 * The secret that made a signature, for what else follows from it. Compares the text, not the bytes
 * that it stands for: a secret has exactly one right signature.
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

/** Without telling by time how much of it was right. */
export function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** What is kept of a secret that only its bearer should have. */
export function sha256(content: string | Uint8Array): Buffer {
  return hash('sha256', content, 'buffer')
}
