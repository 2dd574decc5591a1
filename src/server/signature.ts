/**
 * Short texts that only this service could have made. Each purpose has a key of its own, so that a
 * signature made for one is worth nothing for another.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

type Purpose = 'cookie' | 'media-url'

// 144 bits: past guessing, and 24 base64url characters with none left over.
const signatureBytes = 18

export function signatureOf(secret: string, purpose: Purpose, text: string): string {
  const key = createHmac('sha256', secret).update(`lanternist/${purpose}/1`).digest()
  const digest = createHmac('sha256', key).update(text).digest()
  return digest.subarray(0, signatureBytes).toString('base64url')
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
export function sha256(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
