/** Stored files are served by capability URL only. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signMediaUrl } from '../../src/server/http/media/media-url.ts'
import { StorageUnreachable } from '../../src/server/platform/storage/storage.ts'
import { readLines, sharedFile, testShared } from '../support/shared-corpora.ts'
import type { World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let url: string

const bucket = 'user-media' as const
const key = 'users/ana/General/general-1-picture.png'
const bytes = new Uint8Array(1000).map((_, index) => index % 251)

beforeAll(async () => {
  world = await createWorld()
  await world.ctx.storage.put(bucket, key, bytes)
  url = signMediaUrl({ secrets: world.ctx.config.sessionSecrets, bucket, key })
})
afterAll(() => world.close())

test('everyone with the URL sees the file, without a cookie', async () => {
  const response = await world.visitor().fetch(url)
  expect(response.status).toBe(200)
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
})

test('a wrong signature finds nothing, also for the owner', async () => {
  const ana = await world.as('ana')
  const signature = url.slice(-24)
  const other = signMediaUrl({ secrets: ['another secret of this length'], bucket, key })
  for (const wrong of [`/media/${bucket}/${key}`, url.replace(signature, 'A'.repeat(24)), other]) {
    const response = await ana.fetch(wrong)
    expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }])
  }
})

test('a signature is valid for its file only', async () => {
  const elsewhere = url.replace('user-media', 'general')
  expect((await world.visitor().fetch(elsewhere)).status).toBe(404)
  const otherUser = url.replace('users/ana', 'users/bo')
  expect((await world.visitor().fetch(otherUser)).status).toBe(404)
})

test('ranges, revalidation and HEAD work', async () => {
  const visitor = world.visitor()
  const part = await visitor.fetch(url, { headers: { range: 'bytes=10-19' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 10-19/1000'])
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(10, 20))
  const etag = part.headers.get('etag') ?? ''
  const again = await visitor.fetch(url, { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
  const beyond = await visitor.fetch(url, { headers: { range: 'bytes=5000-' } })
  expect(beyond.status).toBe(416)
  const head = await visitor.fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '1000'])
})

test('an unreachable storage is 503 with its code', async () => {
  const stat = vi
    .spyOn(world.ctx.storage, 'stat')
    .mockRejectedValue(new StorageUnreachable('no disk'))
  const response = await world.visitor().fetch(url)
  stat.mockRestore()
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ code: 'STORAGE_UNREACHABLE' })
})

testShared('traversal in the path leads nowhere', async () => {
  const lines = readLines(sharedFile('corpora/traversal/deep_traversal.txt')).slice(0, 300)
  for (const line of lines) {
    const path = `/media/user-media/users/ana/${line.replaceAll('{FILE}', 'etc/passwd')}?s=${url.slice(-24)}`
    const response = await world.visitor().fetch(path)
    expect([400, 404], path).toContain(response.status)
  }
  return lines.length
})
