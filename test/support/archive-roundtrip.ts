/**
 * Exports any session that users can create from one site and imports it into another: it must not change.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { Client } from '../../src/client/client.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { makeFilm } from './sample-media.ts'

/** A user of one of the sites. */
export type Traveller = Pick<Client, 'sessions' | 'imports' | 'vault' | 'classification'> & {
  readonly fetch: (path: string) => Promise<Response>
}

/** Uploads one small file of each kind to a user's vault. */
export async function fillVault(person: Traveller): Promise<number[]> {
  const picture = (colour: string) =>
    sharp({ create: { width: 24, height: 18, channels: 3, background: colour } })
  const files: readonly (readonly [string, string, Uint8Array])[] = [
    ['a.jpg', 'image/jpeg', await picture('#a04020').jpeg().toBuffer()],
    ['b.png', 'image/png', await picture('#20a040').png().toBuffer()],
    ['c.webp', 'image/webp', await picture('#4020a0').webp().toBuffer()],
    ['d.gif', 'image/gif', await picture('#808020').gif().toBuffer()],
    ['e.mp4', 'video/mp4', await makeFilm({ width: 64, height: 48, frames: 3 })],
  ]
  const ids: number[] = []
  for (const [name, type, bytes] of files) {
    const file = new File([new Uint8Array(bytes)], name, { type })
    ids.push((await person.vault.upload({ form: { file } })).media?.id ?? 0)
  }
  return ids
}

/** Generates sessions with every possible setting from the user's own files. */
export async function anySession(person: Traveller, mediaIds: readonly number[]) {
  const tags = (await person.classification.tags()).map(({ slug }) => slug)
  const categories = (await person.classification.categories()).filter((one) => !one.isDefault)
  const text = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength })
  const slide = fc.record({
    mediaId: fc.constantFrom(...mediaIds),
    caption: fc.option(fc.oneof(text(80), fc.constantFrom('שלום עולם', 'مرحبا', '👩‍👩‍👧 見て'))),
    durationMs: fc.option(fc.integer({ min: 100, max: 3_600_000 })),
  })
  const intervals = fc
    .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }))
    .map(([one, other]) => ({
      intervalMin: Math.min(one, other),
      intervalMax: Math.max(one, other),
    }))
  const settings = fc.record({
    title: text(60).map((title) => title.trim() || 'Untitled'),
    slides: fc.array(slide, { minLength: 1, maxLength: 6 }),
    tags: fc.uniqueArray(fc.constantFrom(...tags), { maxLength: 4 }),
    categoryId: fc.option(fc.constantFrom(...categories.map(({ id }) => id))),
    transition: fc.constantFrom('fade', 'slide', 'zoom', 'flip', 'none'),
    aiPrompt: fc.option(text(200)),
    captionTheme: fc.option(fc.constantFrom('joi', 'beta', 'custom')),
    isFavorite: fc.boolean(),
    isManualMode: fc.boolean(),
    nsfw: fc.boolean(),
  })
  return fc.tuple(settings, intervals).map(([one, other]) => ({ ...one, ...other }))
}

type NewSession = Parameters<Client['sessions']['createManual']>[0]['body']

/** Fails if the session changes on its way. */
export async function travel(here: Traveller, there: Traveller, body: NewSession): Promise<void> {
  const { session } = await here.sessions.createManual({ body })
  const archive = await exported(here, session.id)
  const file = new File([new Uint8Array(archive)], 'x.zip', { type: 'application/zip' })
  const arrived = await there.imports.importSession({ form: { file } })
  assert.deepEqual(arrived.skipped, [])
  assert.deepEqual(await shown(there, arrived.session.id), await shown(here, session.id))
  assert.ok((await exported(there, arrived.session.id)).equals(archive), 'the archives differ')
  await here.sessions.remove({ params: { id: String(session.id) } })
  await there.sessions.remove({ params: { id: String(arrived.session.id) } })
}

async function exported(person: Traveller, id: number): Promise<Buffer> {
  const response = await person.fetch(`/api/sessions/${id}/export`)
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}

/** Returns the session without ids and file addresses. */
async function shown(person: Traveller, sessionId: number) {
  const { session, media } = await person.sessions.read({ params: { id: String(sessionId) } })
  const settings = [
    'title',
    'subfeeds',
    'categoryId',
    'categorySource',
    'intervalMin',
    'intervalMax',
    'transition',
    'aiPrompt',
    'captionTheme',
    'isFavorite',
    'isManualMode',
    'tags',
    'nsfw',
    'mediaCount',
  ] as const
  const slides = await Promise.all(
    media.map(async ({ mediaUrl, caption, durationMs, type, width, height, order, nsfw }) => {
      const bytes = await (await person.fetch(mediaUrl ?? '')).arrayBuffer()
      const sha256 = createHash('sha256').update(new Uint8Array(bytes)).digest('hex')
      return { caption, durationMs, type, width, height, order, nsfw, sha256 }
    }),
  )
  return { settings: settings.map((name) => [name, session[name]]), slides }
}
