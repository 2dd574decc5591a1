/**
 * An S3 store that stops answering while every connection stays open: no call waits long, and calls
 * succeed again after it recovers.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createS3Storage } from '../../src/server/platform/storage/s3-storage.ts'
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import { StorageUnreachable } from '../../src/server/platform/storage/storage.ts'
import { eventually } from '../support/eventually.ts'
import { startS3Server } from '../support/s3-server.ts'
import type { SilentProxy } from '../support/silent-proxy.ts'
import { startSilentProxy } from '../support/silent-proxy.ts'

const manyBytes = 12 * 1024 * 1024

let server: Awaited<ReturnType<typeof startS3Server>>
let proxy: SilentProxy
let storage: Storage

beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server.stop())
beforeEach(async () => {
  proxy = await startSilentProxy(Number(new URL(server.options.endpoint).port))
  storage = createS3Storage({ ...server.options, endpoint: `http://127.0.0.1:${proxy.port}` })
})
afterEach(async () => {
  proxy.resume()
  await storage.close()
  await proxy.close()
})

// Without a watchdog, a command took three tries of thirty seconds.
const patienceMs = 25_000

test(
  'is an outage for every method, and none any more when it answers again',
  async () => {
    await storage.put('user-media', 'kept.jpg', Buffer.from('kept'))
    proxy.silence()
    const kept = { bucket: 'user-media', key: 'kept.jpg' } as const
    const attempts = [
      storage.put('user-media', 'a.jpg', Buffer.from('a')),
      storage.put('user-media', 'a.mp4', Buffer.alloc(manyBytes)),
      storage.stat('user-media', 'kept.jpg'),
      storage.read('user-media', 'kept.jpg'),
      storage.copy(kept, { bucket: 'general', key: 'b.jpg' }),
      storage.remove('user-media', 'other.jpg'),
      storage.list('user-media', '')[Symbol.asyncIterator]().next(),
      storage.check(),
    ]
    for (const outcome of await Promise.allSettled(attempts))
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnreachable) })
    proxy.resume()
    await eventually(async () =>
      expect(await storage.stat('user-media', 'kept.jpg')).toMatchObject({ size: 4 }),
    )
  },
  patienceMs,
)

test(
  'in the middle of a file fails the stream',
  async () => {
    await storage.put('user-media', 'film.mp4', Buffer.alloc(manyBytes))
    const stream = await storage.read('user-media', 'film.mp4')
    proxy.silence()
    await expect(
      (async () => {
        for await (const _ of stream);
      })(),
    ).rejects.toThrow(StorageUnreachable)
  },
  patienceMs,
)

test('is not what a slow reader is taken for', { timeout: 60_000 }, async () => {
  await storage.put('user-media', 'film.mp4', Buffer.alloc(manyBytes))
  const stream = await storage.read('user-media', 'film.mp4')
  let size = 0
  for await (const chunk of stream) {
    // One pause that is longer than a store may be silent.
    if (size === 0) await new Promise((resolve) => setTimeout(resolve, 12_000))
    size += (chunk as Buffer).length
  }
  expect(size).toBe(manyBytes)
})
