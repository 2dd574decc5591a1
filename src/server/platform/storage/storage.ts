/**
 * The storage interface that local disk and S3 implement, the rules for keys, and the errors of a storage.
 */
import type { Readable } from 'node:stream'
import { Outage } from '../outage.ts'

/** Files in user-media have an owner and need a signature; general contains published files. */
export const buckets = ['user-media', 'general'] as const
export type Bucket = (typeof buckets)[number]

/** A stored file. `etag` is an HTTP entity tag, including its quotes. */
export type StoredFile = { size: number; etag: string; lastModified: Date }
export type ByteRange = { start: number; end: number /* inclusive */ }
export type FileAddress = { bucket: Bucket; key: string }
export type ListedFile = { key: string; size: number; lastModified: Date }
/** A name in a folder. Its details are read on request: on a disk they cost as much as a hundred names. */
export type FolderEntry = {
  key: string
  /** Returns null if the file has been removed meanwhile. */
  look: () => Promise<Omit<ListedFile, 'key'> | null>
}
export type PutOptions = { signal?: AbortSignal; givenAway?: boolean }
type PresignOptions = { expiresInSeconds: number; contentType: string; disposition?: string }

export type Storage = {
  /**
   * Stores all of the source or nothing. Once the source has been read to its end, the write completes
   * whatever the signal says. If it resolves, the file is stored; if it rejects, nothing has changed. With
   * `givenAway` the caller never reads a chunk again.
   */
  put(
    bucket: Bucket,
    key: string,
    source: AsyncIterable<Uint8Array> | Uint8Array,
    options?: PutOptions,
  ): Promise<{ size: number }>
  stat(bucket: Bucket, key: string): Promise<StoredFile | null>
  /**
   * Rejects with FileMissing, or with RangeError if the range starts past the end. A range that only ends
   * past the end is cut. The caller reads the stream to its end or destroys it.
   */
  read(bucket: Bucket, key: string, range?: ByteRange): Promise<Readable>
  /** Rejects with FileMissing. */
  copy(from: FileAddress, to: FileAddress): Promise<void>
  /** Removes a file. Succeeds if the file does not exist. */
  remove(bucket: Bucket, key: string): Promise<void>
  /**
   * Lists all keys that begin with the prefix, in any order. 'users/1' also finds 'users/10/…': end the
   * prefix with a slash to mean a folder.
   */
  list(bucket: Bucket, prefix: string): AsyncIterable<ListedFile>
  /** Lists the files directly in a folder ('users/1/General/'), in any order. */
  listFolder(bucket: Bucket, folder: string): AsyncIterable<FolderEntry>
  /**
   * Identifies the names in a folder: if two results are equal, no name was added or removed in between.
   * Resolves to null for a folder that changed just now, because another change could produce the same
   * value. The method itself is null if the storage can only list a folder.
   */
  fingerprint: ((bucket: Bucket, folder: string) => Promise<string | null>) | null
  /** Null if clients cannot be sent to the storage itself. */
  presign: ((bucket: Bucket, key: string, options: PresignOptions) => Promise<string>) | null
  /** Rejects with StorageUnreachable, whose message tells an operator the problem. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Returns a storage for code that must not wait for one: every use of it throws. */
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
  throw new Error('A transaction must not wait for the storage')
}

/** The storage is down, full or forbidden. It is not the caller's mistake, and a retry may help. */
export class StorageUnreachable extends Outage {
  override name = 'StorageUnreachable'
}

/** The storage is full. It works again when space is freed. */
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
    // Shortened and quoted, because a refused key is often hostile and is logged.
    super(`Not a storage key, ${reason}: ${JSON.stringify(String(key).slice(0, 80))}`)
  }
}

/**
 * The maximum lifetime: a presigned link cannot be revoked, so a reported picture stays visible that long.
 */
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

/** Refuses a leading dot, and so '.' and '..': the disk storage uses dot names for its own folders. */
export function isSegment(value: string): boolean {
  return value.length <= segmentMaxLength && segmentPattern.test(value)
}

export function assertBucket(bucket: unknown): asserts bucket is Bucket {
  if (!isBucket(bucket)) throw new InvalidKey(bucket, 'there is no such bucket')
}

export function assertKey(key: unknown): asserts key is string {
  if (!isKey(key)) throw new InvalidKey(key, 'letters, digits, . _ - and single slashes only')
}

/** Checks a prefix, the beginning of a key: everything, a folder with its slash, or part of a name. */
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

/**
 * Returns the type by extension, from a short list, so that no stored file is served as a page or a script.
 */
export function contentTypeOf(key: string): string {
  const extension = /\.([^./]+)$/.exec(key)?.[1] ?? ''
  return contentTypes.get(extension.toLowerCase()) ?? unknownContentType
}
