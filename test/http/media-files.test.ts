// Answers to requests for stored files, on real files.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attachmentDisposition, serveMediaFile } from '../../src/server/http/media/media-files.ts'
import type { MediaRequest } from '../../src/server/http/media/media-files.ts'
import { openFileStorage } from '../../src/server/platform/storage/file-storage.ts'
import { createS3Storage } from '../../src/server/platform/storage/s3-storage.ts'
import { FileMissing, StorageUnreachable } from '../../src/server/platform/storage/storage.ts'
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import { startS3Server } from '../support/s3-server.ts'

const key = 'users/1/General/a.jpg'
let dataDir: string
let storage: Storage

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lanternist-media-'))
  storage = await openFileStorage({ dataDir })
  await storage.put('user-media', key, Buffer.from('0123456789'))
  await storage.put('user-media', 'empty.png', new Uint8Array())
  await storage.put('general', 'a.webm', Buffer.from('video'))
  await storage.put('general', 'notes/page.html', Buffer.from('<script>alert(1)</script>'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

async function ask(request: Partial<MediaRequest> = {}) {
  const answer = await serveMediaFile({
    storage,
    bucket: 'user-media',
    key,
    keptFor: 'good',
    method: 'GET',
    headers: {},
    ...request,
  })
  const text = answer.body ? String(await buffer(answer.body)) : undefined
  return { status: answer.status, headers: answer.headers, text }
}

async function fail(): Promise<never> {
  throw new StorageUnreachable('down')
}

test('a picture is sent whole, cacheable by its viewer but not by proxies', async () => {
  const { status, headers, text } = await ask()
  expect({ status, text }).toEqual({ status: 200, text: '0123456789' })
  expect(headers).toEqual({
    etag: expect.stringMatching(/^"[^"]+"$/),
    'last-modified': expect.stringMatching(/ GMT$/),
    'cache-control': 'private, max-age=31536000, immutable',
    'content-type': 'image/jpeg',
    'content-length': '10',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  })
})

test('a published file may be embedded by other sites, and cached only by its viewer', async () => {
  const { headers } = await ask({ bucket: 'general', key: 'a.webm', keptFor: 'a-minute' })
  expect(headers).toMatchObject({
    'cache-control': 'private, max-age=60',
    'content-type': 'video/webm',
    'content-security-policy': "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'",
    'cross-origin-resource-policy': 'cross-origin',
  })
})

test('everything except pictures and videos is only downloaded', async () => {
  const { headers } = await ask({ bucket: 'general', key: 'notes/page.html' })
  expect(headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="page.html"; filename*=UTF-8''page.html`,
    'x-content-type-options': 'nosniff',
  })
})

test('HEAD returns the headers of GET, without a body, for any range', async () => {
  const got = await ask()
  const head = await ask({ method: 'HEAD', headers: { range: 'bytes=0-1' } })
  expect(head).toEqual({ ...got, text: undefined })
})

test('a range is sent as a part', async () => {
  const { status, headers, text } = await ask({ headers: { range: 'bytes=2-4' } })
  expect({ status, text }).toEqual({ status: 206, text: '234' })
  expect(headers).toMatchObject({
    'content-range': 'bytes 2-4/10',
    'content-length': '3',
    'content-type': 'image/jpeg',
  })
  expect(await ask({ headers: { range: 'bytes=-1' } })).toMatchObject({ status: 206, text: '9' })
  expect(await ask({ headers: { range: 'bytes=0-0' } })).toMatchObject({ status: 206, text: '0' })
})

test('a range past the end is refused with the size', async () => {
  const { status, headers, text } = await ask({ headers: { range: 'bytes=10-' } })
  expect({ status, text }).toEqual({ status: 416, text: undefined })
  expect(headers).toEqual({ 'content-range': 'bytes */10', 'cache-control': 'no-store' })
  expect(await ask({ key: 'empty.png', headers: { range: 'bytes=0-' } })).toMatchObject({
    status: 416,
    headers: { 'content-range': 'bytes */0' },
  })
})

test('several ranges, and invalid headers, get the whole file', async () => {
  for (const range of ['bytes=0-1,4-5', 'bytes=x', 'lines=1-2']) {
    expect(await ask({ headers: { range } })).toMatchObject({ status: 200, text: '0123456789' })
  }
})

test('an empty picture is valid', async () => {
  expect(await ask({ key: 'empty.png' })).toMatchObject({
    status: 200,
    text: '',
    headers: { 'content-length': '0' },
  })
})

test('a file that the client already has is not sent again', async () => {
  const { etag, 'last-modified': lastModified } = (await ask()).headers
  for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, '*', ' * ']) {
    const { status, headers, text } = await ask({ headers: { ifNoneMatch } })
    expect({ ifNoneMatch, status, text }).toEqual({ ifNoneMatch, status: 304, text: undefined })
    expect(headers).toEqual({
      etag,
      'last-modified': lastModified,
      'cache-control': 'private, max-age=31536000, immutable',
    })
  }
  for (const ifNoneMatch of ['"other"', '', 'x', etag?.slice(1, -1), `"${etag}"x`]) {
    expect((await ask({ headers: { ifNoneMatch } })).status).toBe(200)
  }
  const both = await ask({ method: 'HEAD', headers: { ifNoneMatch: etag, range: 'bytes=0-1' } })
  expect(both.status).toBe(304)
})

test('a range of a file that has changed gets the whole file', async () => {
  const { etag, 'last-modified': lastModified } = (await ask()).headers
  const range = 'bytes=0-1'
  for (const ifRange of [etag, lastModified]) {
    expect((await ask({ headers: { range, ifRange } })).status).toBe(206)
  }
  const never = new Date(0).toUTCString()
  for (const ifRange of ['"other"', `W/${etag}`, never, '', 'x']) {
    expect((await ask({ headers: { range, ifRange } })).status).toBe(200)
    expect((await ask({ headers: { range: 'bytes=99-', ifRange } })).status).toBe(200)
  }
})

test('a missing file and a bad key are the same 404, which is not cached', async () => {
  for (const missing of ['users/1/General/b.jpg', '../secret', '', 'a/../b', '.drafts/a']) {
    expect(await ask({ key: missing })).toEqual({
      status: 404,
      headers: { 'cache-control': 'no-store' },
      text: undefined,
    })
  }
})

test('a file removed between stat and read is a 404, an outage stays an outage', async () => {
  const removed: MediaRequest['storage'] = {
    presign: null,
    stat: (bucket, name) => storage.stat(bucket, name),
    read: async (bucket, name) => {
      throw new FileMissing({ bucket, key: name })
    },
  }
  expect(await ask({ storage: removed })).toMatchObject({ status: 404 })
  const unreachable = { presign: null, stat: fail, read: fail }
  await expect(ask({ storage: unreachable })).rejects.toThrow(StorageUnreachable)
})

test('if browsers can reach the store, GET is redirected there for a minute and HEAD is not', async (context) => {
  const server = await startS3Server()
  const s3 = createS3Storage(server.options)
  context.onTestFinished(async () => {
    await s3.close()
    await server.stop()
  })
  await s3.put('user-media', key, Buffer.from('from the store'))
  await s3.put('general', 'page.html', Buffer.from('<script>'))

  const { status, headers, text } = await ask({ storage: s3 })
  expect({ status, text }).toEqual({ status: 302, text: undefined })
  expect(headers).toEqual({ location: expect.any(String), 'cache-control': 'no-store' })
  const link = new URL(headers['location']!)
  expect(Number(link.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(60)
  const fetched = await fetch(link)
  expect(await fetched.text()).toBe('from the store')
  expect(fetched.headers.get('content-type')).toBe('image/jpeg')

  const page = await ask({ storage: s3, bucket: 'general', key: 'page.html' })
  const download = await fetch(page.headers['location']!)
  expect(download.headers.get('content-type')).toBe('application/octet-stream')
  expect(download.headers.get('content-disposition')).toMatch(/^attachment;/)

  expect(await ask({ storage: s3, method: 'HEAD' })).toMatchObject({
    status: 200,
    headers: { 'content-length': '14', 'content-type': 'image/jpeg' },
  })
  expect((await ask({ storage: s3, key: 'none.jpg' })).status).toBe(404)
})

test('a download name is sent in ASCII and in UTF-8, and breaks no header', () => {
  expect(attachmentDisposition('a b.txt')).toBe(
    `attachment; filename="a b.txt"; filename*=UTF-8''a%20b.txt`,
  )
  expect(attachmentDisposition('é"\r\n;%\\\ud800(1)*\'.jpg')).toBe(
    `attachment; filename="_________1___.jpg"; filename*=UTF-8''%C3%A9%22%0D%0A%3B%25%5C%EF%BF%BD%281%29%2A%27.jpg`,
  )
})
