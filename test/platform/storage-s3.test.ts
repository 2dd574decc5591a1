// Errors that only a store across a network can have: outages, broken connections, answers in pages. And
// the links that send clients to the store.

import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import type { S3StorageOptions } from '../../src/server/platform/storage/s3-client.ts'
import { createS3Storage } from '../../src/server/platform/storage/s3-storage.ts'
import {
  FileMissing,
  StorageFull,
  StorageUnreachable,
} from '../../src/server/platform/storage/storage.ts'
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import { startS3Server } from '../support/s3-server.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

test('a store that is away is an outage for every method', async () => {
  const server = await listen(() => {})
  const storage = openStorage(server.endpoint)
  await server.close()
  const address = { bucket: 'user-media', key: 'a.jpg' } as const
  const attempts = [
    storage.put('user-media', 'a.jpg', Buffer.from('a')),
    storage.put('user-media', 'a.mp4', Buffer.alloc(6 * 1024 * 1024)),
    storage.stat('user-media', 'a.jpg'),
    storage.read('user-media', 'a.jpg'),
    storage.copy(address, { bucket: 'general', key: 'b.jpg' }),
    storage.remove('user-media', 'a.jpg'),
    storage.list('user-media', '')[Symbol.asyncIterator]().next(),
    storage.check(),
  ]
  for (const outcome of await Promise.allSettled(attempts)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnreachable) })
  }
})

test('an unreachable store closes the stream it got', async () => {
  const server = await listen(() => {})
  const storage = openStorage(server.endpoint)
  await server.close()
  const endless = new Readable({ read() {} })
  endless.push(Buffer.alloc(6 * 1024 * 1024))
  await expect(storage.put('user-media', 'a.mp4', endless)).rejects.toThrow(StorageUnreachable)
  expect(endless.destroyed).toBe(true)
})

test('a store that has no room left says so', async () => {
  const server = await listen((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(507, { 'content-type': 'application/xml' })
      response.end('<Error><Code>XMinioStorageFull</Code><Message>full</Message></Error>')
    })
  })
  const storage = openStorage(server.endpoint)
  const put = storage.put('user-media', 'a.jpg', Buffer.from('a'))
  await expect(put).rejects.toThrow(StorageFull)
})

test('a store that refuses us is an outage too', async () => {
  const server = await listen((_, response) => {
    response.writeHead(403, { 'content-type': 'application/xml' })
    response.end('<Error><Code>AccessDenied</Code><Message>no</Message></Error>')
  })
  const storage = openStorage(server.endpoint)
  await expect(storage.read('user-media', 'a.jpg')).rejects.toThrow(StorageUnreachable)
  await expect(storage.stat('user-media', 'a.jpg')).rejects.toThrow(StorageUnreachable)
})

test('a connection that breaks in the middle of a file fails its stream as an outage', async () => {
  const server = await listen((_, response) => {
    response.writeHead(200, { 'content-length': 1000 })
    response.write('the first bytes', () => response.destroy())
  })
  const storage = openStorage(server.endpoint)
  const stream = await storage.read('user-media', 'a.jpg')
  await expect(buffer(stream)).rejects.toThrow(StorageUnreachable)
})

test('a bucket that is not there fails the check by its name', async () => {
  const server = await startStore()
  const storage = createS3Storage({
    ...server.options,
    buckets: { 'user-media': 'test-user-media', general: 'mistyped' },
  })
  closers.push(() => storage.close())
  await expect(storage.check()).rejects.toThrow("S3 bucket 'mistyped' cannot be used: NotFound")
  await expect(storage.put('general', 'a.jpg', Buffer.from('a'))).rejects.toThrow(
    StorageUnreachable,
  )
  const missingFrom = { bucket: 'general', key: 'a.jpg' } as const
  await expect(storage.read('general', 'a.jpg')).rejects.toThrow(StorageUnreachable)
  await expect(storage.read('user-media', 'a.jpg')).rejects.toThrow(FileMissing)
  await expect(storage.copy(missingFrom, { bucket: 'user-media', key: 'b.jpg' })).rejects.toThrow(
    StorageUnreachable,
  )
})

test('uploads carry no checksum headers, which many stores do not know', async () => {
  const headerNames = new Set<string>()
  const server = await listen((request, response) => {
    for (const name of Object.keys(request.headers)) headerNames.add(name)
    request.resume().once('end', () => response.writeHead(200, { etag: '"e"' }).end())
  })
  await openStorage(server.endpoint).put('user-media', 'a.jpg', Buffer.from('a'))
  expect(headerNames).toContain('x-amz-content-sha256')
  expect([...headerNames].join(' ')).not.toMatch(/checksum|trailer/)
})

test('a listing longer than a page is followed to its end, past what is not ours', async () => {
  const pages = [
    { keys: ['a/1.jpg', 'a/'], next: 'second' },
    { keys: ['a/2.jpg', 'a/not ours.jpg'], next: undefined },
  ]
  const server = await listen((request, response) => {
    const token = new URL(request.url!, 'http://localhost').searchParams.get('continuation-token')
    const { keys, next } = pages[token === 'second' ? 1 : 0]!
    const contents = keys.map((key) => `<Contents><Key>${key}</Key><Size>3</Size></Contents>`)
    const nextTag = next ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''
    response.end(`<ListBucketResult>${nextTag}${contents.join('')}</ListBucketResult>`)
  })
  const keys: string[] = []
  for await (const { key } of openStorage(server.endpoint).list('user-media', 'a/')) keys.push(key)
  expect(keys).toEqual(['a/1.jpg', 'a/2.jpg'])
})

test('a presigned link fetches the file with the type and name it was made for', async () => {
  const server = await startStore()
  const storage = createS3Storage(server.options)
  closers.push(() => storage.close())
  await storage.put('user-media', 'users/1/a.jpg', Buffer.from('picture'))
  const link = await storage.presign!('user-media', 'users/1/a.jpg', {
    expiresInSeconds: 60,
    contentType: 'application/octet-stream',
    disposition: 'attachment; filename="b.jpg"',
  })
  const answer = await fetch(link)
  expect(await answer.text()).toBe('picture')
  expect(answer.headers.get('content-type')).toBe('application/octet-stream')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="b.jpg"')
  expect(answer.headers.get('cache-control')).toBe('private, max-age=60')
  expect(new URL(link).searchParams.get('X-Amz-Expires')).toBe('60')
})

test('a presigned link lives a minute at most', async () => {
  const { presign } = openStorage('http://127.0.0.1:9')
  for (const expiresInSeconds of [61, 3600, 0, -1, Number.NaN, Infinity]) {
    await expect(
      presign!('user-media', 'a.jpg', { expiresInSeconds, contentType: 'image/jpeg' }),
    ).rejects.toThrow(RangeError)
  }
})

test('links name the public end point, and without one there are none', async () => {
  const there = openStorage('http://127.0.0.1:9', { publicEndpoint: 'https://files.example' })
  const link = await there.presign!('general', 'a.jpg', {
    expiresInSeconds: 5,
    contentType: 'image/jpeg',
  })
  expect(link).toMatch(/^https:\/\/files\.example\/our-general\/a\.jpg\?/)
  expect(openStorage('http://127.0.0.1:9', { publicEndpoint: null }).presign).toBeNull()
})

async function startStore() {
  const server = await startS3Server()
  closers.push(() => server.stop())
  return server
}

function openStorage(endpoint: string, options: Partial<S3StorageOptions> = {}): Storage {
  const storage = createS3Storage({
    endpoint,
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    buckets: { 'user-media': 'our-user-media', general: 'our-general' },
    ...options,
  })
  closers.push(() => storage.close())
  return storage
}

async function listen(answer: RequestListener) {
  const server: Server = createServer(answer)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  }
  closers.push(close)
  const { port } = server.address() as AddressInfo
  return { endpoint: `http://127.0.0.1:${port}`, close }
}
