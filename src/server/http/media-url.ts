/**
 * Capability URLs: whoever holds one may see the file, without a cookie, and nobody can make one up
 * from the path. They never change while the file lives, so browsers can keep what they point at.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { assertBucket, assertKey, isBucket, isKey } from '../platform/storage.ts'
import type { FileAddress } from '../platform/storage.ts'

type Signed = { secret: string } & FileAddress
/** As they come out of a request: nothing about them is known yet. */
type Claimed = { secret: string; bucket: unknown; key: unknown; signature: unknown }

// A key of its own, so that a media signature is never a cookie's and the other way round.
const subkeyLabel = 'lanternist/media-url/1'
// 144 bits: past guessing, and 24 base64url characters with none left over.
const signatureBytes = 18

export function signMediaUrl({ secret, bucket, key }: Signed): string {
  assertBucket(bucket)
  assertKey(key)
  return `/media/${bucket}/${key}?s=${signatureOf({ secret, bucket, key })}`
}

export function verifyMediaSignature({ secret, bucket, key, signature }: Claimed): boolean {
  if (!isBucket(bucket) || !isKey(key) || typeof signature !== 'string') return false
  // The text is compared, not the bytes it stands for: one file has exactly one URL.
  const expected = Buffer.from(signatureOf({ secret, bucket, key }))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signatureOf({ secret, bucket, key }: Signed): string {
  const subkey = createHmac('sha256', secret).update(subkeyLabel).digest()
  // No bucket has a slash in its name, so two files never share a text.
  const digest = createHmac('sha256', subkey).update(`${bucket}/${key}`).digest()
  return digest.subarray(0, signatureBytes).toString('base64url')
}
