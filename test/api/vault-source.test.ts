/** The person's own vault as a source of sessions, and the marks that filter it (contract 16). */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ModerationWorld } from '../support/moderation-world.ts'
import { aPicture, createModerationWorld } from '../support/moderation-world.ts'
import { useWorld } from '../support/use-world.ts'
import { listed, putMedia } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: ModerationWorld
let ana: Person
let bo: Person
/** Ana's three files, the oldest first. */
let ids: string[]

useWorld(createModerationWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.adult('bo')]
})
beforeEach(async () => {
  ids = []
  for (const seed of [1, 2, 3]) ids.push(await putMedia(ana, await aPicture(seed)))
  await world.runJobs()
})

const mark = (id: string | undefined, body: { tags?: string[]; isFavorite?: boolean }) =>
  ana.vault.mark({ params: { id: id ?? '' }, body })

async function filled(person: Person, subfeeds: string) {
  const id = await world.makeFilled(person, { subfeeds })
  return person.sessions.read({ params: { id } })
}

describe('tags and favourites', () => {
  test('are set one by one, and listed', async () => {
    expect(await listed(ana, ids[0] ?? '')).toMatchObject({ tags: [], isFavorite: false })
    expect(await mark(ids[0], { tags: ['night', 'city', 'night'] })).toMatchObject({
      tags: ['night', 'city'],
      isFavorite: false,
    })
    expect(await mark(ids[0], { isFavorite: true })).toMatchObject({
      tags: ['night', 'city'],
      isFavorite: true,
    })
    expect(await listed(ana, ids[0] ?? '')).toMatchObject({ isFavorite: true })
    expect(await mark(ids[0], { tags: [] })).toMatchObject({ tags: [], isFavorite: true })
  })

  test('are for known tags and the caller’s own files', async () => {
    const unknown = await refused(mark(ids[0], { tags: ['no such tag'] }))
    expect(unknown.message).toBe('Validation failed: tags has unknown tags: no such tag')
    expect((await refused(mark(ids[0], {}))).status).toBe(400)
    expect((await refused(mark('x', { isFavorite: true }))).message).toBe('Invalid media ID')
    const theirs = { params: { id: ids[0] ?? '' }, body: { isFavorite: true } }
    expect(await refused(bo.vault.mark(theirs))).toMatchObject({ status: 404 })
    expect(await listed(ana, ids[0] ?? '')).toMatchObject({ isFavorite: false })
  })
})

describe('a session', () => {
  test('is filled from all of the caller’s vault, newest first, for free', async () => {
    const { session, media } = await filled(ana, 'Vault:ALL')
    expect(session).toMatchObject({ subfeeds: ['vault:all'], fillStatus: 'ready', fillError: null })
    const { files } = await ana.vault.list()
    expect(media.map(({ feedPostId }) => feedPostId)).toEqual(files.map(({ id }) => `vault-${id}`))
    expect(media.every(({ credit, subfeed }) => credit === null && subfeed === 'vault:all')).toBe(
      true,
    )
    // Other people can see them. As slides of the vault, they are deleted with their file.
    for (const { mediaUrl } of media) expect(await world.statusOf(mediaUrl)).toBe(200)
    await ana.vault.remove({ params: { id: ids[2] ?? '' } })
    const left = await ana.sessions.read({ params: { id: String(session.id) } })
    expect(left.media).toHaveLength(2)
  })

  test('uses favourites or a tag, beside other sources', async () => {
    await mark(ids[0], { isFavorite: true })
    await mark(ids[1], { tags: ['night'] })
    const { session, media } = await filled(ana, 'vault:favorites,vault:tag/night,city')
    expect(session.subfeeds).toEqual(['vault:favorites', 'vault:tag/night', 'city'])
    const of = (subfeed: string) => media.filter((slide) => slide.subfeed === subfeed)
    expect(of('vault:favorites')).toHaveLength(1)
    expect(of('vault:tag/night')).toHaveLength(1)
    expect(of('city').length).toBeGreaterThan(0)
  })

  test('uses only the caller’s vault, which may be empty', async () => {
    const before = (await bo.credits.balance()).balance
    const { session, media } = await filled(bo, 'vault:all')
    expect(media).toEqual([])
    expect(session).toMatchObject({
      fillStatus: 'failed',
      fillError: 'vault:all: nothing found',
    })
    expect((await bo.credits.balance()).balance).toBe(before)
    await putMedia(bo, await aPicture(9))
    const own = await filled(bo, 'vault:all')
    expect(own.media).toHaveLength(1)
  })

  test('is filled again without duplicates', async () => {
    const { session, media } = await filled(ana, 'vault:all')
    const id = String(session.id)
    const params = { id, mediaId: String(media[0]?.id) }
    await ana.sessions.updateMedia({ params, body: { caption: 'Kept' } })
    await ana.sessions.update({ params: { id }, body: { subfeeds: 'vault:all,vault:favorites' } })
    await world.runJobs()
    const again = await ana.sessions.read({ params: { id } })
    expect(again.media).toHaveLength(3)
    expect(again.session.fillError).toBe('vault:favorites: nothing found')
  })

  test('shows others the slides through its link, and adult files only to age-verified accounts', async () => {
    const { session } = await filled(ana, 'vault:all')
    const { shareCode: code } = await ana.sharing.shareSession({
      params: { id: String(session.id) },
      body: {},
    })
    const { media } = await bo.sharing.open({ params: { code } })
    for (const { mediaUrl } of media) {
      expect(mediaUrl).toContain('?g=adultshare.')
      expect(await world.statusOf(mediaUrl)).toBe(200)
    }
    await world.ctx.db
      .updateTable('vault_media')
      .set({ nsfw: true })
      .where('id', '=', Number(ids[0]))
      .execute()
    await ana.accounts.verifyAge({ body: { ageVerified: false } })
    const safe = await filled(ana, 'vault:all')
    expect(safe.media).toHaveLength(2)
  })

  test.each(['vault:', 'vault:everything', 'vault:tag/', 'vault:tag/a b', 'vault:../x'])(
    'the name %j is refused before anything is charged',
    async (subfeeds) => {
      const before = (await ana.credits.balance()).balance
      const failure = await refused(world.make(ana, { subfeeds }))
      expect(failure).toMatchObject({ status: 400, body: { error: 'Validation Error' } })
      expect((await ana.credits.balance()).balance).toBe(before)
    },
  )
})

test('browsing has pages of the caller’s files; names are suggested', async () => {
  const body = { subfeeds: 'vault:all', limit: 2 }
  const first = await ana.feeds.fetch({ body })
  expect(first.posts.map(({ source }) => source)).toEqual(['vault', 'vault'])
  const second = await ana.feeds.fetch({ body: { ...body, after: first.after ?? '' } })
  expect(second).toMatchObject({ posts: [{ source: 'vault' }], after: null, errors: [] })
  expect((await refused(bo.feeds.fetch({ body }))).body).toMatchObject({ code: 'SOURCE_FAILED' })
  await mark(ids[0], { tags: ['night'] })
  const names = async (person: Person, q: string) =>
    (await person.feeds.suggest({ query: { q } })).items.map(({ name }) => name)
  expect(await names(ana, 'vault:nig')).toEqual(['vault:tag/night'])
  expect(await names(bo, 'vault:nig')).toEqual([])
  expect(await names(ana, 'vault:fav')).toEqual(['vault:favorites'])
  const { feeds } = await world.visitor().site.read()
  expect(feeds.at(-1)).toMatchObject({ id: 'vault', example: 'favorites' })
})
