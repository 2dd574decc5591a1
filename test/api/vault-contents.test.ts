/**
 * Files identified by their contents, uploads identified by their keys, and the places where one file is
 * used.
 */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { useWorld } from '../support/use-world.ts'
import { createVaultWorld } from '../support/vault-media.ts'
import { fileOf, pngFile, samples, tracesIn, upload } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: World
let ana: Person
let bo: Person

useWorld(createVaultWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
})

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'

test('a content is reported only to the account that has it', async () => {
  const first = await upload(ana, 'first.png')
  await upload(ana, 'second.png')
  const hashes = [sha256(samples.png), sha256(samples.gif)]
  expect(await ana.vault.findKnown({ body: { hashes } })).toEqual({
    known: [{ hash: hashes[0], mediaId: first.mediaId, name: 'first.png' }],
  })
  expect(await bo.vault.findKnown({ body: { hashes } })).toEqual({ known: [] })
  await ana.vault.remove({ params: { id: first.id } })
  const { known } = await ana.vault.findKnown({ body: { hashes } })
  expect(known.map(({ name }) => name)).toEqual(['second.png'])
})

test('contents are requested as hashes, in a limited number', async () => {
  const hash = sha256(samples.png)
  for (const hashes of [[], ['nothing'], [hash.toUpperCase()], Array<string>(201).fill(hash)])
    expect((await refused(ana.vault.findKnown({ body: { hashes } }))).status).toBe(400)
})

test('a file that appeared outside the service is known by its content once it was examined', async () => {
  const { id, filePath } = await upload(ana)
  await world.ctx.db
    .updateTable('vault_media')
    .set({ content_sha256: null })
    .where('file_path', '=', filePath)
    .execute()
  const hashes = [sha256(samples.png)]
  expect((await ana.vault.findKnown({ body: { hashes } })).known).toEqual([])
  await world.runJobs()
  expect((await ana.vault.findKnown({ body: { hashes } })).known).toMatchObject([
    { mediaId: Number(id) },
  ])
})

test('an upload that is repeated with its key returns the first one', async () => {
  const first = await ana.vault.upload({ form: { file: pngFile('a.png'), key } })
  const again = await ana.vault.upload({ form: { file: pngFile('a.png'), key } })
  expect(again).toEqual(first)
  expect((await ana.vault.list()).totalCount).toBe(1)
  const traces = await tracesIn(world)
  expect([traces['unclaimed'], traces['records']]).toEqual([[], [first.filePath]])
  expect(traces['files']?.filter((name) => name.includes('/General/'))).toEqual([first.filePath])

  // The same key of another account is a different key.
  const other = await bo.vault.upload({ form: { file: pngFile('a.png'), key } })
  expect(other.media?.id).not.toBe(first.media?.id)
  // A file that was deleted in the meantime is stored again.
  await ana.vault.remove({ params: { id: String(first.media?.id) } })
  const anew = await ana.vault.upload({ form: { file: pngFile('a.png'), key } })
  expect(anew.media?.id).not.toBe(first.media?.id)
})

test('concurrent equal uploads make one file', async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, () =>
      ana.vault.upload({ form: { file: fileOf(samples.gif, 'a.gif', 'image/gif'), key } }),
    ),
  )
  expect(new Set(made.map(({ media }) => media?.id)).size).toBe(1)
  expect((await ana.vault.list()).totalCount).toBe(1)
  expect((await tracesIn(world))['unclaimed']).toEqual([])
})

test('an invalid hash is refused', async () => {
  const answer = await refused(ana.vault.upload({ form: { file: pngFile(), key: 'mine' } }))
  expect(answer.status).toBe(400)
})

test('a file lists the sessions that use it', async () => {
  const { id, mediaId, media } = await upload(ana, 'lamp.png')
  expect(await ana.vault.read({ params: { id } })).toEqual({
    file: media,
    caption: null,
    nsfw: false,
    published: null,
    sessions: [],
    sessionCount: 0,
  })
  const { session } = await ana.sessions.createManual({
    body: { title: 'With a lamp', slides: [{ mediaId }, { mediaId }] },
  })
  await ana.vault.share({
    params: { id },
    body: { tags: ['city'], policyAgreed: true, nsfw: false },
  })
  expect(await ana.vault.read({ params: { id } })).toMatchObject({
    file: { isShared: true, shareToCommunity: true },
    published: { tags: ['city'], nsfw: false },
    sessions: [{ id: session.id, title: 'With a lamp' }],
    sessionCount: 1,
  })
})

test('a file is private to its owner', async () => {
  const { id } = await upload(ana)
  expect((await refused(bo.vault.read({ params: { id } }))).body).toEqual({
    message: 'Media not found',
  })
  expect((await refused(ana.vault.read({ params: { id: 'x' } }))).body).toEqual({
    message: 'Invalid media ID',
  })
  expect((await refused(ana.vault.read({ params: { id: '999' } }))).status).toBe(404)
})
