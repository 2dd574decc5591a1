/**
 * Builds the response for a stored file: ranges, revalidation, and headers that prevent a user's file from
 * acting as a page of ours. Access was checked before. The result is plain data that the route sends.
 */
import type { Readable } from 'node:stream'
import {
  contentTypeOf,
  FileMissing,
  isKey,
  presignedLinkMaxSeconds,
  unknownContentType,
} from '../../platform/storage/storage.ts'
import type { Bucket, Storage, StoredFile } from '../../platform/storage/storage.ts'
import { parseByteRange } from './byte-range.ts'

export type MediaRequest = {
  storage: Pick<Storage, 'stat' | 'read' | 'presign'>
  bucket: Bucket
  key: string
  /** How long a browser may show the file without revalidating it. */
  keptFor: 'good' | 'a-minute'
  method: 'GET' | 'HEAD'
  headers: {
    range?: string | undefined
    ifNoneMatch?: string | undefined
    ifRange?: string | undefined
  }
}

export type MediaAnswer = {
  status: 200 | 206 | 302 | 304 | 404 | 416
  headers: Record<string, string>
  body?: Readable
}

type Found = MediaRequest & { file: StoredFile }

const cacheControls: Readonly<Record<MediaRequest['keptFor'], string>> = {
  // A year, the longest time that caches accept. The content of a key never changes.
  good: 'private, max-age=31536000, immutable',
  'a-minute': 'private, max-age=60',
}
// A hidden file may be shown again, and a missing one may be stored later.
const notFound: MediaAnswer = { status: 404, headers: { 'cache-control': 'no-store' } }

export async function serveMediaFile(request: MediaRequest): Promise<MediaAnswer> {
  const { storage, bucket, key, method, headers } = request
  const file = isKey(key) ? await storage.stat(bucket, key) : null
  if (!file) return notFound
  const found = { ...request, file }
  if (isUnchanged(headers.ifNoneMatch, file.etag)) {
    return { status: 304, headers: validatorHeaders(found) }
  }
  // A presigned link is valid for GET only, so HEAD is answered here.
  if (method === 'HEAD') return { status: 200, headers: wholeHeaders(found) }
  if (storage.presign) return redirect(found, storage.presign)
  try {
    return await sendBytes(found)
  } catch (error) {
    // Removed after `stat`.
    if (error instanceof FileMissing) return notFound
    throw error
  }
}

/** Returns `attachment` with the name twice: ASCII for old clients, UTF-8 (RFC 5987) for the others. */
export function attachmentDisposition(fileName: string): string {
  const name = fileName.toWellFormed()
  const ascii = name.replaceAll(/[^A-Za-z0-9 ._-]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

async function sendBytes(found: Found): Promise<MediaAnswer> {
  const { storage, bucket, key, headers, file } = found
  const rangeHeader = isRangeStillValid(headers.ifRange, file) ? headers.range : undefined
  const range = parseByteRange(rangeHeader, file.size)
  if (range.kind === 'unsatisfiable') {
    return {
      status: 416,
      headers: { 'cache-control': 'no-store', 'content-range': `bytes */${file.size}` },
    }
  }
  if (range.kind === 'whole') {
    return { status: 200, headers: wholeHeaders(found), body: await storage.read(bucket, key) }
  }
  const { start, end } = range
  return {
    status: 206,
    headers: {
      ...wholeHeaders(found),
      'content-length': String(end - start + 1),
      'content-range': `bytes ${start}-${end}/${file.size}`,
    },
    body: await storage.read(bucket, key, { start, end }),
  }
}

async function redirect(
  found: Found,
  presign: NonNullable<Storage['presign']>,
): Promise<MediaAnswer> {
  const disposition = dispositionOf(found.key)
  const location = await presign(found.bucket, found.key, {
    expiresInSeconds: presignedLinkMaxSeconds,
    contentType: contentTypeOf(found.key),
    ...(disposition === undefined ? {} : { disposition }),
  })
  return { status: 302, headers: { location, 'cache-control': 'no-store' } }
}

function wholeHeaders(found: Found): Record<string, string> {
  const disposition = dispositionOf(found.key)
  return {
    ...validatorHeaders(found),
    'content-type': contentTypeOf(found.key),
    'content-length': String(found.file.size),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': contentPolicyOf(found.key),
    // Other sites may embed published files, as link previews do. They have no reason to embed a
    // private picture. Crawlers do not load files through a page, so neither value blocks them.
    'cross-origin-resource-policy': found.bucket === 'general' ? 'cross-origin' : 'same-origin',
    ...(disposition === undefined ? {} : { 'content-disposition': disposition }),
  }
}

function validatorHeaders({ file, keptFor }: Found): Record<string, string> {
  return {
    etag: file.etag,
    'last-modified': file.lastModified.toUTCString(),
    // Private even for published files: a shared cache would keep serving a file that was hidden.
    'cache-control': cacheControls[keptFor],
  }
}

/** Returns the policy. Videos get no sandbox, which would stop playback in the browser's video page. */
function contentPolicyOf(key: string): string {
  return contentTypeOf(key).startsWith('video/')
    ? "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'"
    : "default-src 'none'; sandbox"
}

/** Returns nothing for pictures and videos, which are shown inline. Other files are downloads. */
function dispositionOf(key: string): string | undefined {
  if (contentTypeOf(key) !== unknownContentType) return undefined
  return attachmentDisposition(key.slice(key.lastIndexOf('/') + 1))
}

/** Compares If-None-Match weakly (RFC 9110, 13.1.2). */
function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((tag) => tag.replace(/^W\//, '') === etag)
}

/** Compares If-Range strongly: a weak tag or another date means the whole file (13.1.5). */
function isRangeStillValid(ifRange: string | undefined, file: StoredFile): boolean {
  if (ifRange === undefined) return true
  const validator = ifRange.trim()
  return validator === file.etag || validator === file.lastModified.toUTCString()
}
