/**
 * Capability URLs: whoever holds one may see the file, without a cookie, and nobody can make one up
 * from the path. They never change while the file lives, so browsers can keep what they point at.
 */
import type { Context } from '../context.ts'
import type { FileAddress } from '../platform/storage.ts'
import { assertBucket, assertKey, isBucket, isKey } from '../platform/storage.ts'
import { isSignature, signatureOf } from '../signature.ts'

type Signed = { secret: string } & FileAddress
/** As they come out of a request: nothing about them is known yet. */
type Claimed = { secret: string; bucket: unknown; key: unknown; signature: unknown }

export function mediaUrlOf(ctx: Context, file: FileAddress): string {
  return signMediaUrl({ secret: ctx.config.sessionSecret, ...file })
}

export function signMediaUrl({ secret, bucket, key }: Signed): string {
  assertBucket(bucket)
  assertKey(key)
  return `/media/${bucket}/${key}?s=${signatureOf(secret, 'media-url', `${bucket}/${key}`)}`
}

export function verifyMediaSignature({ secret, bucket, key, signature }: Claimed): boolean {
  if (!isBucket(bucket) || !isKey(key) || typeof signature !== 'string') return false
  // No bucket has a slash in its name, so two files never share a text.
  return isSignature(secret, 'media-url', `${bucket}/${key}`, signature)
}

/** The file that a capability URL's path and query lead to; null where they are no valid one. */
export function fileOfMediaUrl(secret: string, pathAndQuery: string): FileAddress | null {
  const url = URL.parse(pathAndQuery, 'http://localhost')
  const [, bucket, key] = /^\/media\/([^/]+)\/(.+)$/.exec(url?.pathname ?? '') ?? []
  const signature = url?.searchParams.get('s')
  if (!isBucket(bucket) || !isKey(key)) return null
  return verifyMediaSignature({ secret, bucket, key, signature }) ? { bucket, key } : null
}
