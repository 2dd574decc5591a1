/**
 * Encrypts secrets of others that we have to use, so that a hash is not enough: AES-256-GCM with
 * SECRET_KEYS. The first key encrypts and every key decrypts, so keys can be rotated.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The binding of a secret: keys are derived per purpose, and it opens only for its owner. */
type SealedFor = { readonly purpose: 'totp' | 'connection'; readonly owner: string }

const format = 1
const nonceBytes = 12
const tagBytes = 16

export function seal(
  keys: readonly string[],
  { purpose, owner }: SealedFor,
  secret: Uint8Array,
): Buffer {
  const [first] = keys
  if (first === undefined) throw new Error('there is no key to encrypt with')
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(first, purpose), nonce)
  cipher.setAAD(Buffer.from(owner))
  const content = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), content])
}

/** Returns null if no key opens it. */
export function unseal(
  keys: readonly string[],
  { purpose, owner }: SealedFor,
  sealed: Uint8Array,
): Buffer | null {
  const bytes = Buffer.from(sealed)
  const contentStart = 1 + nonceBytes + tagBytes
  if (bytes[0] !== format || bytes.length < contentStart) return null
  const nonce = bytes.subarray(1, 1 + nonceBytes)
  const tag = bytes.subarray(1 + nonceBytes, contentStart)
  for (const key of keys) {
    const options = { authTagLength: tagBytes }
    const decipher = createDecipheriv('aes-256-gcm', keyOf(key, purpose), nonce, options)
    decipher.setAAD(Buffer.from(owner))
    decipher.setAuthTag(tag)
    try {
      return Buffer.concat([decipher.update(bytes.subarray(contentStart)), decipher.final()])
    } catch {
      // Sealed with another key.
    }
  }
  return null
}

function keyOf(key: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `lanternist/sealed/${purpose}/1`, 32))
}
