/** The vault on S3: found files, and the state after an outage of the store (contract 4.4). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startS3Server } from '../support/s3-server.ts'
import {
  fileOf,
  pngFile,
  samples,
  storedKeys,
  tracesIn,
  upload,
  userIdOf,
} from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let server: Awaited<ReturnType<typeof startS3Server>>
let isRunning = true
let world: World
let ana: Person
let anaId: string

beforeAll(async () => {
  server = await startS3Server()
  const { endpoint, region, accessKeyId, secretAccessKey, buckets } = server.options
  world = await createWorld({
    STORAGE: 's3',
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    S3_BUCKET_USER_MEDIA: buckets['user-media'],
    S3_BUCKET_GENERAL: buckets.general,
  })
  ana = await world.as('ana')
  anaId = await userIdOf(ana)
})
afterAll(async () => {
  await world.close()
  if (isRunning) await server.stop()
})

test('a file is uploaded, moved to its source, listed and deleted', async () => {
  const { id, filePath } = await upload(ana)
  const form = new FormData()
  form.set('file', pngFile('late.png'))
  form.set('source', 'smart-caption')
  const late = await ana.fetch('/api/media/upload', { method: 'POST', body: form })
  expect(await late.json()).toMatchObject({ source: 'smart-caption' })
  const { files } = await ana.vault.list()
  expect(files.map(({ name }) => name)).toEqual(['late.png', 'photo.png'])
  expect(await storedKeys(world.ctx.storage)).toEqual(files.map(({ path }) => path).toSorted())
  await ana.vault.remove({ params: { id } })
  expect(await storedKeys(world.ctx.storage)).not.toContain(filePath)
  for (const file of (await ana.vault.list()).files)
    await ana.vault.remove({ params: { id: String(file.id) } })
})

test('a picture for others is written again to its address', async () => {
  const form = { file: pngFile(), source: 'profile' as const }
  const { filePath } = await ana.vault.upload({ form })
  expect(await storedKeys(world.ctx.storage)).toEqual([filePath])
  await world.ctx.storage.remove('user-media', filePath)
})

test('a file that appeared outside the service is found within a minute', async () => {
  await ana.vault.list()
  const key = `users/${anaId}/General/a.png`
  await world.ctx.storage.put('user-media', key, samples.png)
  world.clock.advance(61_000)
  const { files } = await ana.vault.list()
  expect(files).toMatchObject([{ path: key, size: samples.png.length }])
  await world.ctx.storage.put('user-media', `users/${anaId}/General/b.png`, samples.png)
  expect((await ana.vault.list()).totalCount).toBe(1)
  world.clock.advance(61_000)
  expect((await ana.vault.list()).totalCount).toBe(2)
})

test('a store that becomes unreachable fails uploads and leaves no record; the list still answers', async () => {
  const before = await tracesIn(world)
  await server.stop()
  isRunning = false
  const file = fileOf(Buffer.concat([samples.png, Buffer.alloc(100_000)]), 'c.png', 'image/png')
  expect(await refused(ana.vault.upload({ form: { file } }))).toMatchObject({
    status: 503,
    body: { error: 'STORAGE_CONFIG_ERROR' },
  })
  world.clock.advance(61_000)
  const { files } = await ana.vault.list()
  expect(files.map(({ path }) => path).toSorted()).toEqual(before['records']?.toSorted())
})
