/** Browsing the community (contract 1.9, 4.2, 10). */
import { beforeEach, describe, expect, test } from 'vitest'
import { insertCommunityMedia, insertCommunitySession } from '../support/community-rows.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: World
let ana: Person
let anaId: string
/** Age-verified, with no relation to the content. */
let bo: Person

useWorld(createWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  await bo.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  anaId = (await ana.accounts.currentUser()).id
})

type Query = NonNullable<Parameters<Person['community']['browse']>[0]>['query']

const browse = (query: Query = {}, person = bo) => person.community.browse({ query })
const items = async (query: Query = {}, person = bo) => (await browse(query, person)).items
const namesOf = (found: Awaited<ReturnType<typeof items>>) =>
  found.map((item) => (item.kind === 'session' ? item.title : `media ${item.id}`))
const names = async (query: Query = {}, person = bo) => namesOf(await items(query, person))

const at = (minute: number, second = 0) => new Date(Date.UTC(2026, 0, 1, 0, minute, second))
const session = (title: string, change: Parameters<typeof insertCommunitySession>[2] = {}) =>
  insertCommunitySession(world.ctx, anaId, { title, ...change })
const media = (change: Parameters<typeof insertCommunityMedia>[2] = {}) =>
  insertCommunityMedia(world.ctx, anaId, change)

describe('the list', () => {
  test('contains sessions and media with the fields of the contract', async () => {
    await session('A night', {
      published_at: at(2),
      tags: ['night', 'city'],
      saved_count: 3,
      media_count: 7,
      caption_theme: 'custom',
      thumbnail: '/covers/0123456789abcdef.svg',
    })
    await media({ published_at: at(1), tags: ['city'], type: 'gif', thumbnail_key: 'a/b.webp' })
    await ana.accounts.updateProfile({ body: { firstName: 'Ana', lastName: 'Berg' } })
    const { items: found, nextCursor } = await browse()
    expect(nextCursor).toBeNull()
    expect(found).toEqual([
      {
        kind: 'session',
        id: 1,
        title: 'A night',
        nsfw: false,
        thumbnail: '/covers/0123456789abcdef.svg',
        mediaCount: 7,
        transition: 'fade',
        intervalMin: 3,
        intervalMax: 10,
        captionTheme: 'custom',
        tags: ['night', 'city'],
        category: 'uncategorized',
        ownerName: 'Ana B',
        savedCount: 3,
        publishedAt: at(2).toISOString(),
      },
      {
        kind: 'media',
        id: 1,
        url: expect.stringMatching(/^\/media\/general\/community\/test\/\d+\.jpg\?s=[\w-]{24}$/),
        thumbnail: expect.stringMatching(/^\/media\/general\/a\/b\.webp\?s=[\w-]{24}$/),
        width: 1200,
        height: 800,
        type: 'gif',
        tags: ['city'],
        nsfw: false,
        ownerName: 'Ana B',
        publishedAt: at(1).toISOString(),
      },
    ])
  })

  test('is empty at first, and without unfinished or withdrawn publications', async () => {
    expect(await browse()).toEqual({ items: [], nextCursor: null })
    await session('Copying', { status: 'copying' })
    await session('Withdrawn', { status: 'withdrawn' })
    expect(await browse()).toEqual({ items: [], nextCursor: null })
    for (const id of ['1', '2'])
      expect(await refused(bo.community.open({ params: { id } }))).toMatchObject({ status: 404 })
  })

  test('shows adult content only to age-verified accounts', async () => {
    await session('Safe', { published_at: at(4) })
    const adult = await session('Adult', { published_at: at(3), nsfw: true })
    await media({ published_at: at(2), nsfw: true })
    await media({ published_at: at(1) })
    expect(await names()).toEqual(['Safe', 'Adult', 'media 1', 'media 2'])
    for (const sort of ['recent', 'popular'] as const)
      expect(await names({ sort }, ana)).toEqual(['Safe', 'media 2'])
    expect(await refused(ana.community.open({ params: { id: adult } }))).toMatchObject({
      status: 404,
    })
    await bo.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: false } })
    expect(await names()).toEqual(['Safe', 'media 2'])
  })

  test('loses the publications of a deleted account', async () => {
    await session('Hers')
    await media()
    await world.ctx.db.deleteFrom('users').where('id', '=', anaId).execute()
    expect(await names()).toEqual([])
  })
})

describe('filters', () => {
  beforeEach(async () => {
    await session('Rain over the city', { published_at: at(9), tags: ['city', 'night'] })
    await session('City of lanterns', { published_at: at(8), tags: ['city'], category_id: 3 })
    await session('100% _quiet_ 50\\50', { published_at: at(7), tags: ['nature'] })
    await media({ published_at: at(6), tags: ['black-and-white', 'city'] })
    await media({ published_at: at(5), tags: ['nature'] })
  })

  test('by kind', async () => {
    expect(await names({ kind: 'media' })).toEqual(['media 1', 'media 2'])
    expect(await names({ kind: 'sessions' })).toHaveLength(3)
    expect(await names({ kind: 'all' })).toHaveLength(5)
  })

  test('by tags, any of them or all', async () => {
    expect(await names({ tags: 'city' })).toEqual([
      'Rain over the city',
      'City of lanterns',
      'media 1',
    ])
    expect(await names({ tags: 'city, night', tagMode: 'and' })).toEqual(['Rain over the city'])
    expect(await names({ tags: 'night,nature', tagMode: 'or' })).toEqual([
      'Rain over the city',
      '100% _quiet_ 50\\50',
      'media 2',
    ])
    expect(await names({ tags: 'nonsense' })).toEqual([])
    expect(await names({ tags: ' , ' })).toHaveLength(5)
  })

  test('by category, which media do not have', async () => {
    expect(await names({ categorySlug: 'story' })).toEqual(['City of lanterns'])
    expect(await names({ categorySlug: 'uncategorized' })).toEqual([
      'Rain over the city',
      '100% _quiet_ 50\\50',
    ])
    expect(await names({ categorySlug: 'story', kind: 'media' })).toEqual([])
    expect(await names({ categorySlug: 'nonsense' })).toEqual([])
  })

  test('by words of the title, and of the names of media tags', async () => {
    expect(await names({ q: 'CITY' })).toEqual([
      'Rain over the city',
      'City of lanterns',
      'media 1',
    ])
    expect(await names({ q: 'city  rain' })).toEqual(['Rain over the city'])
    expect(await names({ q: 'lantern' })).toEqual(['City of lanterns'])
    expect(await names({ q: 'black white' })).toEqual(['media 1'])
    expect(await names({ q: 'white nature' })).toEqual([])
    expect(await names({ q: '   ' })).toHaveLength(5)
  })

  test('combined', async () => {
    expect(await names({ q: 'city', tags: 'night', kind: 'sessions' })).toEqual([
      'Rain over the city',
    ])
    expect(await names({ q: 'city', categorySlug: 'story' })).toEqual(['City of lanterns'])
  })

  test('treat special characters as text', async () => {
    expect(await names({ q: '100%' })).toEqual(['100% _quiet_ 50\\50'])
    expect(await names({ q: '50\\50' })).toEqual(['100% _quiet_ 50\\50'])
    expect(await names({ q: '_' })).toEqual(['100% _quiet_ 50\\50'])
    for (const text of [
      '%',
      "'; drop table users; --",
      '"; select 1',
      '{city,night}',
      '$1',
      '\\',
      '🌃',
      '‮',
      'x'.repeat(200),
    ]) {
      const found = await items({ q: text })
      expect(found.length).toBeLessThan(2)
      expect(await items({ tags: text, tagMode: 'and' })).toEqual([])
      if (text.length <= 120) expect(await items({ categorySlug: text })).toEqual([])
    }
    expect(await names()).toHaveLength(5)
  })

  test('with invalid values are refused', async () => {
    const refusedQueries = [
      'kind=everything',
      'tagMode=xor',
      'sort=worst',
      'limit=0',
      'limit=101',
      'limit=-1',
      'limit=1e2',
      `q=${'x'.repeat(201)}`,
      `categorySlug=${'x'.repeat(121)}`,
    ]
    for (const query of refusedQueries) {
      const response = await bo.fetch(`/api/community?${query}`)
      expect(response.status, query).toBe(400)
      expect(await response.json()).toMatchObject({
        message: expect.stringMatching(/^Validation failed: /),
      })
    }
  })
})

describe('publications of an account', () => {
  const published = (person = ana, query = {}) => person.community.published({ query })

  test('lists only the account’s own, newest first, in pages, with their sources', async () => {
    await session('Older', { published_at: at(1) })
    await session('Withdrawn', { published_at: at(4), status: 'withdrawn' })
    const picture = await media({ published_at: at(2) })
    await insertCommunitySession(world.ctx, (await bo.accounts.currentUser()).id, { title: 'Bo’s' })
    const first = await published(ana, { limit: '1' })
    expect(first.items).toMatchObject([{ kind: 'media', id: Number(picture), sourceId: null }])
    const rest = await published(ana, { cursor: first.nextCursor ?? '' })
    expect(rest).toMatchObject({ items: [{ title: 'Older', sourceId: null }], nextCursor: null })
    expect((await published(bo)).items).toMatchObject([{ title: 'Bo’s' }])
  })

  test('lists the caller’s adult publications without their content after the age was withdrawn', async () => {
    await session('For adults', { nsfw: true, thumbnail_key: 'a/b.webp', published_at: at(2) })
    await media({ nsfw: true, thumbnail_key: 'a/c.webp', published_at: at(1) })
    const hidden = (await published()).items
    expect(hidden).toMatchObject([{ thumbnail: null }, { thumbnail: null }])
    expect(hidden[1]).not.toHaveProperty('url')
    await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
    const shown = (await published()).items
    expect(shown).toMatchObject([{ thumbnail: expect.any(String) }, { url: expect.any(String) }])
  })
})
