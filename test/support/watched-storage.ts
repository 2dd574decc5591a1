/** A storage that counts its calls and can fail. */
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import { StorageUnreachable } from '../../src/server/platform/storage/storage.ts'

export type WatchedStorage = Storage & {
  readonly calls: { listFolder: number; look: number; fingerprint: number }
  readonly faults: {
    /** Writes fail after this number of bytes; null: they do not. */
    putAfterBytes: number | null
    copy: boolean
    remove: boolean
    list: boolean
    check: boolean
  }
  /** Reads the details of files while listing them, as S3 does, not on demand. */
  looksAtOnce: boolean
  /** Called after a folder was listed, before the result is used. */
  afterListing: ((folder: string) => Promise<void>) | null
  /** Called after a file was written, before the writer knows. */
  afterPut: (() => Promise<void>) | null
}

export function watch(inner: Storage): WatchedStorage {
  const calls = { listFolder: 0, look: 0, fingerprint: 0 }
  const faults: WatchedStorage['faults'] = {
    putAfterBytes: null,
    copy: false,
    remove: false,
    list: false,
    check: false,
  }
  const failIf = (fails: boolean) => {
    if (fails) throw new StorageUnreachable('The storage folder cannot be used: ENOSPC')
  }
  const { fingerprint } = inner
  const watched: WatchedStorage = {
    ...inner,
    calls,
    faults,
    looksAtOnce: false,
    afterListing: null,
    afterPut: null,
    async put(bucket, key, source, options) {
      const { putAfterBytes } = faults
      if (putAfterBytes === null) {
        const done = await inner.put(bucket, key, source, options)
        await watched.afterPut?.()
        return done
      }
      let bytes = 0
      if (source instanceof Uint8Array) failIf(true)
      else for await (const chunk of source) failIf((bytes += chunk.length) > putAfterBytes)
      throw new Error('the source was too short to fail at')
    },
    async copy(from, to) {
      failIf(faults.copy)
      return inner.copy(from, to)
    },
    async remove(bucket, key) {
      failIf(faults.remove)
      return inner.remove(bucket, key)
    },
    async *listFolder(bucket, folder) {
      calls.listFolder += 1
      failIf(faults.list)
      for await (const { key, look } of inner.listFolder(bucket, folder)) {
        const seen = watched.looksAtOnce ? await look() : null
        const counted = async () => {
          calls.look += 1
          return seen ?? look()
        }
        yield { key, look: counted }
      }
      await watched.afterListing?.(folder)
    },
    fingerprint:
      fingerprint &&
      (async (bucket, folder) => {
        calls.fingerprint += 1
        return fingerprint(bucket, folder)
      }),
    async check() {
      failIf(faults.check)
      return inner.check()
    },
  }
  return watched
}
