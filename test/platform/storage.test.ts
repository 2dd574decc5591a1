// The promises of both storages, tested on the local disk and on S3.

import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FileMissing, InvalidKey } from '../../src/server/platform/storage/storage.ts'
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import { openDiskStage, openS3Stage } from '../support/storage-stages.ts'
import type { StorageStage } from '../support/storage-stages.ts'

const megabyte = 1024 * 1024

describe.each([
  { name: 'local disk', start: openDiskStage },
  { name: 'S3', start: openS3Stage },
])('$name', ({ start }) => {
  let stage: StorageStage
  let storage: Storage

  beforeAll(async () => {
    stage = await start()
    storage = stage.storage
  })
  afterAll(() => stage.stop())

  const bytesOf = async (key: string) => buffer(await storage.read('user-media', key))
  const keysUnder = async (prefix: string) => {
    const keys: string[] = []
    for await (const { key } of storage.list('user-media', prefix)) keys.push(key)
    return keys.sort()
  }

  test('what was put is read back, byte for byte, with its size and time', async () => {
    const bytes = randomBytes(100_000)
    const before = Date.now()
    expect(await storage.put('user-media', 'users/1/General/a.jpg', bytes)).toEqual({
      size: 100_000,
    })
    expect((await bytesOf('users/1/General/a.jpg')).equals(bytes)).toBe(true)
    const stored = await storage.stat('user-media', 'users/1/General/a.jpg')
    expect(stored).toMatchObject({ size: 100_000, etag: expect.stringMatching(/^"[^"]+"$/) })
    // HTTP dates have whole seconds, and file system clocks have a resolution of their own.
    expect(Math.abs(stored!.lastModified.getTime() - before)).toBeLessThan(60_000)
  })

  test('an empty file is a file', async () => {
    expect(await storage.put('user-media', 'empty.jpg', new Uint8Array())).toEqual({ size: 0 })
    expect(await storage.stat('user-media', 'empty.jpg')).toMatchObject({ size: 0 })
    expect(await bytesOf('empty.jpg')).toHaveLength(0)
  })

  test('the buckets do not share keys', async () => {
    await storage.put('general', 'only-general.jpg', Buffer.from('general'))
    expect(await storage.stat('user-media', 'only-general.jpg')).toBeNull()
  })

  test('a second put replaces the whole file and changes its tag', async () => {
    const tags = new Set<string | undefined>()
    for (const text of ['the first and longer one', 'the second', 'the third!']) {
      await storage.put('user-media', 'replaced.jpg', Buffer.from(text))
      expect(String(await bytesOf('replaced.jpg'))).toBe(text)
      tags.add((await storage.stat('user-media', 'replaced.jpg'))?.etag)
    }
    expect(tags.size).toBe(3)
  })

  test('a range is read inclusively, cut at the end, and refused past it', async () => {
    await storage.put('user-media', 'range.mp4', Buffer.from('0123456789'))
    const part = async (start: number, end: number) =>
      String(await buffer(await storage.read('user-media', 'range.mp4', { start, end })))
    expect(await part(2, 5)).toBe('2345')
    expect(await part(9, 9)).toBe('9')
    expect(await part(7, 1000)).toBe('789')
    await expect(part(10, 12)).rejects.toThrow(RangeError)
  })

  test('a file that is not there is missing, not an outage', async () => {
    expect(await storage.stat('user-media', 'nowhere/a.jpg')).toBeNull()
    await expect(storage.read('user-media', 'nowhere/a.jpg')).rejects.toThrow(FileMissing)
    const from = { bucket: 'user-media', key: 'nowhere/a.jpg' } as const
    await expect(storage.copy(from, { bucket: 'general', key: 'b.jpg' })).rejects.toThrow(
      FileMissing,
    )
    expect(await storage.stat('general', 'b.jpg')).toBeNull()
    await storage.remove('user-media', 'nowhere/a.jpg')
  })

  test('a copy is a separate file', async () => {
    await storage.put('user-media', 'original.png', Buffer.from('picture'))
    await storage.copy(
      { bucket: 'user-media', key: 'original.png' },
      { bucket: 'general', key: 'community/copy.png' },
    )
    await storage.remove('user-media', 'original.png')
    expect(await storage.stat('user-media', 'original.png')).toBeNull()
    expect(String(await buffer(await storage.read('general', 'community/copy.png')))).toBe(
      'picture',
    )
  })

  test('a listing has every key with the prefix and no other', async () => {
    const keys = ['l/a-1.jpg', 'l/a.jpg', 'l/a/b.jpg', 'l/a/c/d.jpg', 'l/b.jpg', 'la/x.jpg']
    for (const key of keys.toReversed()) await storage.put('user-media', key, Buffer.from(key))
    expect(await keysUnder('l/')).toEqual(keys.slice(0, 5))
    expect(await keysUnder('l')).toEqual(keys)
    expect(await keysUnder('l/a')).toEqual(keys.slice(0, 4))
    expect(await keysUnder('l/a/')).toEqual(['l/a/b.jpg', 'l/a/c/d.jpg'])
    expect(await keysUnder('nobody/')).toEqual([])
    for await (const listed of storage.list('user-media', 'l/b')) {
      expect(listed).toEqual({ key: 'l/b.jpg', size: 7, lastModified: expect.any(Date) })
    }
  })

  test('puts of one key at once end in one whole file', async () => {
    const versions = Array.from({ length: 8 }, (_, n) => Buffer.alloc(300_000 + n, n))
    await Promise.all(versions.map((bytes) => storage.put('user-media', 'contested.jpg', bytes)))
    const kept = await bytesOf('contested.jpg')
    expect(versions.some((bytes) => bytes.equals(kept))).toBe(true)
    expect(await stage.leftovers()).toEqual([])
  })

  test.each([0.1, 12])(
    'a source that fails after %d MB leaves nothing behind',
    async (sizeMegabytes) => {
      // With a code, as when the sender's connection breaks: still not a failure of the storage.
      const failure = Object.assign(new Error('the sender went away'), { code: 'ECONNRESET' })
      async function* failing() {
        for (let sent = 0; sent < sizeMegabytes; sent += 0.1) yield Buffer.alloc(megabyte / 10)
        throw failure
      }
      await expect(storage.put('user-media', 'failed/a.mp4', failing())).rejects.toBe(failure)
      expect(await storage.stat('user-media', 'failed/a.mp4')).toBeNull()
      expect(await keysUnder('failed/')).toEqual([])
      expect(await stage.leftovers()).toEqual([])
    },
  )

  test.each([0.1, 12])(
    'an abort after %d MB ends even a stalled source and leaves nothing behind',
    async (sizeMegabytes) => {
      const controller = new AbortController()
      const stalling = new Readable({ read() {} })
      for (let sent = 0; sent < sizeMegabytes; sent += 0.1) {
        stalling.push(Buffer.alloc(megabyte / 10))
      }
      const putting = storage.put('user-media', 'aborted/a.mp4', stalling, {
        signal: controller.signal,
      })
      // The storage has read all data so far, and the end never arrives.
      for (let turn = 0; turn < 10_000 && stalling.readableLength > 0; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      controller.abort()
      await expect(putting).rejects.toMatchObject({ name: 'AbortError' })
      expect(stalling.destroyed).toBe(true)
      expect(await storage.stat('user-media', 'aborted/a.mp4')).toBeNull()
      expect(await stage.leftovers()).toEqual([])
    },
  )

  test('an abort lets a source clean up after itself', async () => {
    const controller = new AbortController()
    const reason = new Error('no longer wanted')
    let cleanedUp = false
    async function* source() {
      try {
        yield Buffer.from('some')
        controller.abort(reason)
        yield Buffer.from('more')
        yield Buffer.from('never asked for')
      } finally {
        cleanedUp = true
      }
    }
    const putting = storage.put('user-media', 'tidy.jpg', source(), { signal: controller.signal })
    await expect(putting).rejects.toBe(reason)
    await expect.poll(() => cleanedUp).toBe(true)
  })

  test('a signal that has fired already keeps anything from being written', async () => {
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(
      storage.put('user-media', 'late.jpg', Buffer.from('x'), { signal }),
    ).rejects.toThrow('too late')
    expect(await storage.stat('user-media', 'late.jpg')).toBeNull()
    expect(await stage.leftovers()).toEqual([])
  })

  test('a failed put leaves the file that was there', async () => {
    await storage.put('user-media', 'survivor.jpg', Buffer.from('still here'))
    await expect(storage.put('user-media', 'survivor.jpg', breakingOff())).rejects.toThrow('cut')
    expect(String(await bytesOf('survivor.jpg'))).toBe('still here')
  })

  test('a stream that breaks before it is read fails the put, not the process', async () => {
    const broken = new Readable({ read() {} })
    const putting = storage.put('user-media', 'broken.jpg', broken)
    broken.destroy(new Error('gone at once'))
    await expect(putting).rejects.toThrow('gone at once')
    expect(await storage.stat('user-media', 'broken.jpg')).toBeNull()
  })

  test('64 MB stream through without being held in memory', async () => {
    const liveBytes = liveBufferBytes()
    const chunk = randomBytes(megabyte)
    const before = liveBytes()
    let peak = 0
    async function* large() {
      for (let sent = 0; sent < 64; sent += 1) {
        if (sent % 4 === 0) peak = Math.max(peak, liveBytes() - before)
        yield Buffer.from(chunk)
      }
    }
    expect(await storage.put('user-media', 'large.mp4', large())).toEqual({ size: 64 * megabyte })
    expect(peak).toBeLessThan(40 * megabyte)
    let read = 0
    for await (const piece of await storage.read('user-media', 'large.mp4')) {
      expect(chunk.includes(piece.subarray(0, 16))).toBe(true)
      read += piece.length
    }
    expect(read).toBe(64 * megabyte)
    await storage.remove('user-media', 'large.mp4')
  })

  test('a stream that is dropped half-read does no harm', async () => {
    await storage.put('user-media', 'dropped.mp4', randomBytes(2 * megabyte))
    const stream = await storage.read('user-media', 'dropped.mp4')
    for await (const piece of stream) {
      expect(piece.length).toBeGreaterThan(0)
      break
    }
    expect(stream.destroyed).toBe(true)
    expect(await bytesOf('dropped.mp4')).toHaveLength(2 * megabyte)
  })

  test('a check passes where files can be kept', async () => {
    await storage.check()
    expect(await stage.leftovers()).toEqual([])
  })

  test('a key outside the rules is refused by every method', async () => {
    const good = { bucket: 'general', key: 'a.jpg' } as const
    for (const key of [
      '',
      '/a',
      'a/',
      'a//b',
      '..',
      'a/../b',
      '.drafts/x',
      'a/.b',
      'a b',
      'a\\b',
    ]) {
      const bad = { bucket: 'user-media', key } as const
      await expect(storage.put('user-media', key, new Uint8Array())).rejects.toThrow(InvalidKey)
      await expect(storage.stat('user-media', key)).rejects.toThrow(InvalidKey)
      await expect(storage.read('user-media', key)).rejects.toThrow(InvalidKey)
      await expect(storage.copy(bad, good)).rejects.toThrow(InvalidKey)
      await expect(storage.copy(good, bad)).rejects.toThrow(InvalidKey)
      await expect(storage.remove('user-media', key)).rejects.toThrow(InvalidKey)
    }
    await expect(keysUnder('../')).rejects.toThrow(InvalidKey)
    await expect(keysUnder('/')).rejects.toThrow(InvalidKey)
    await expect(storage.stat('..' as 'general', 'a.jpg')).rejects.toThrow(InvalidKey)
  })
})

async function* breakingOff() {
  yield Buffer.from('half')
  throw new Error('cut')
}

/** Returns a function that counts the bytes of live buffers, after a garbage collection. */
function liveBufferBytes(): () => number {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  return () => {
    collectGarbage()
    return process.memoryUsage().arrayBuffers
  }
}
