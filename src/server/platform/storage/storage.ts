/**
 * What the service keeps as files, whatever keeps them: the type that local disk and S3 both
 * fulfil, the one place where keys are judged, and the ways in which keeping fails.
 */
import type { Readable } from 'node:stream'
import { Outage } from '../outage.ts'

/** user-media belongs to somebody and needs a signature; general holds what was published. */
export const buckets = ['user-media', 'general'] as const
export type Bucket = (typeof buckets)[number]

/** `etag` is an HTTP entity tag, quotes included. */
export type StoredFile = { size: number; etag: string; lastModified: Date }
export type ByteRange = { start: number; end: number /* inclusive */ }
export type FileAddress = { bucket: Bucket; key: string }
export type ListedFile = { key: string; size: number; lastModified: Date }
/** Looking at a file costs a disk as much as naming a hundred, so it is asked for. */
export type FolderEntry = {
  key: string
  /** Null where the file has gone meanwhile. */
  look: () => Promise<Omit<ListedFile, 'key'> | null>
}
export type PutOptions = { signal?: AbortSignal; givenAway?: boolean }
type PresignOptions = { expiresInSeconds: number; contentType: string; disposition?: string }

export type Storage = {
  /**
   * Keeps all of the source or nothing of it. Once the source has been read to its end the write
   * is finished whatever the signal says: when it resolves, the file is there, and when it rejects,
   * nothing has changed. Of a source that is `givenAway` nobody looks at a chunk again.
   */
  put(
    bucket: Bucket,
    key: string,
    source: AsyncIterable<Uint8Array> | Uint8Array,
    options?: PutOptions,
  ): Promise<{ size: number }>
  stat(bucket: Bucket, key: string): Promise<StoredFile | null>
  /**
   * Rejects with FileMissing, and with RangeError when the range starts past the end; a range that
   * only ends past it is cut short. The caller reads the stream to its end or destroys it.
   */
  read(bucket: Bucket, key: string, range?: ByteRange): Promise<Readable>
  /** Rejects with FileMissing. */
  copy(from: FileAddress, to: FileAddress): Promise<void>
  /** A file that is not there counts as removed. */
  remove(bucket: Bucket, key: string): Promise<void>
  /**
   * Every key that begins with the prefix, in no promised order. 'users/1' also finds 'users/10/…':
   * end the prefix with a slash to mean a folder.
   */
  list(bucket: Bucket, prefix: string): AsyncIterable<ListedFile>
  /** The files that lie in a folder itself ('users/1/General/'), in no promised order. */
  listFolder(bucket: Bucket, folder: string): AsyncIterable<FolderEntry>
  /**
   * Stands for the names in a folder: where two are equal, nothing has come or gone in between. Null
   * for a folder that has just changed, and could change again and look the same. Itself null where
   * a folder cannot be asked but by listing it.
   */
  fingerprint: ((bucket: Bucket, folder: string) => Promise<string | null>) | null
  /** Null where a client cannot be sent to the storage itself. */
  presign: ((bucket: Bucket, key: string, options: PresignOptions) => Promise<string>) | null
  /** Rejects with StorageUnreachable, saying in words for an operator what is wrong. */
  check(): Promise<void>
  close(): Promise<void>
}

/** For places that must not wait for a storage: every use of it is a mistake, and says so. */
export function storageOutOfReach(): Storage {
  return {
    put: async () => refuseUse(),
    stat: async () => refuseUse(),
    read: async () => refuseUse(),
    copy: async () => refuseUse(),
    remove: async () => refuseUse(),
    list: refuseUse,
    listFolder: refuseUse,
    fingerprint: async () => refuseUse(),
    presign: async () => refuseUse(),
    check: async () => refuseUse(),
    close: async () => refuseUse(),
  }
}

function refuseUse(): never {
  throw new Error('A transaction does not wait for the storage')
}

/** The storage is down, full or forbidden: nobody's mistake, worth trying again. */
export class StorageUnreachable extends Outage {
  override name = 'StorageUnreachable'
}

/** There is no room left: whoever makes some mends it. */
export class StorageFull extends StorageUnreachable {
  override name = 'StorageFull'
}

export class FileMissing extends Error {
  override name = 'FileMissing'

  constructor({ bucket, key }: FileAddress, options?: ErrorOptions) {
    super(`No file '${key}' in '${bucket}'`, options)
  }
}

/** A mistake of the caller: keys are built from ids and sanitised names, never from raw input. */
export class InvalidKey extends Error {
  override name = 'InvalidKey'

  constructor(key: unknown, reason: string) {
    // Cut and quoted, because a refused key is often hostile and ends up in a log.
    super(`Not a storage key, ${reason}: ${JSON.stringify(String(key).slice(0, 80))}`)
  }
}

/** A presigned link cannot be called back, so a picture that was reported may outlive it only so long. */
export const presignedLinkMaxSeconds = 60

const keyMaxLength = 1024
const segmentMaxLength = 200
const segmentPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/

export function isBucket(value: unknown): value is Bucket {
  return buckets.some((bucket) => bucket === value)
}

export function isKey(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length <= keyMaxLength && value.split('/').every(isSegment)
  )
}

/** A leading dot is refused with '.' and '..': the disk keeps its own folders behind one. */
export function isSegment(value: string): boolean {
  return value.length <= segmentMaxLength && segmentPattern.test(value)
}

export function assertBucket(bucket: unknown): asserts bucket is Bucket {
  if (!isBucket(bucket)) throw new InvalidKey(bucket, 'there is no such bucket')
}

export function assertKey(key: unknown): asserts key is string {
  if (!isKey(key)) throw new InvalidKey(key, 'letters, digits, . _ - and single slashes only')
}

/** A prefix is the beginning of a key: everything, a folder with its slash, or part of a name. */
export function assertPrefix(prefix: unknown): asserts prefix is string {
  if (prefix === '') return
  assertKey(typeof prefix === 'string' && prefix.endsWith('/') ? prefix.slice(0, -1) : prefix)
}

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['webm', 'video/webm'],
])

export const unknownContentType = 'application/octet-stream'

/** By extension only, from a short list, so that nothing stored is ever served as a page or a script. */
export function contentTypeOf(key: string): string {
  const extension = /\.([^./]+)$/.exec(key)?.[1] ?? ''
  return contentTypes.get(extension.toLowerCase()) ?? unknownContentType
}
