/** The list of the vault: content, filters, pages and counts (contract 1.4, 4.4). */
import { describe, expect, test, vi } from 'vitest'
import { thumbnailKey } from '../../src/server/features/vault/media-files.ts'
import { useWorld } from '../support/use-world.ts'
import { createVaultWorld } from '../support/vault-media.ts'
import { pngFile, upload, userIdOf } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: World
let ana: Person
let bo: Person
let anaId: string

useWorld(createVaultWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  anaId = await userIdOf(ana)
})

/** Changes columns that an upload cannot set, as texts and times. */
async function change(id: string, values: Record<string, unknown>): Promise<void> {
  await world.ctx.db.updateTable('vault_media').set(values).where('id', '=', Number(id)).execute()
}

const namesOf = ({ files }: { files: { name: string }[] }) => files.map(({ name }) => name)

test('an empty vault is a list without files', async () => {
  expect(await ana.vault.list()).toEqual({
    files: [],
    totalCount: 0,
    categories: { 'smart-caption': 0, babecock: 0, hypnococks: 0, upload: 0 },
    nextCursor: null,
  })
})

test('everyone sees their own files, newest first', async () => {
  for (const name of ['1.png', '2.png', '3.png']) await upload(ana, name)
  await upload(bo, 'other.png')
  expect(namesOf(await ana.vault.list())).toEqual(['3.png', '2.png', '1.png'])
  expect(namesOf(await bo.vault.list())).toEqual(['other.png'])
})

test('the results of the examination are shown, with thumbnails', async () => {
  const { id } = await upload(ana)
  const enrichedAt = new Date('2026-03-01T10:00:00.120Z')
  await change(id, {
    width: 1600,
    height: 900,
    character_name: 'Lady Ada',
    subfeed: 'city',
    thumbnail_widths: [320, 640],
    enrichment_status: 'completed',
    enriched_at: enrichedAt,
    duration_ms: 1500,
    mime_type: 'video/mp4',
    share_to_community: true,
  })
  const { files } = await ana.vault.list()
  expect(files).toMatchObject([
    {
      width: 1600,
      height: 900,
      characterName: 'Lady Ada',
      subfeed: 'city',
      enrichmentStatus: 'completed',
      enrichedAt: enrichedAt.toISOString(),
      durationMs: 1500,
      type: 'video',
      shareToCommunity: true,
      thumbnails: [{ width: 320 }, { width: 640 }],
    },
  ])
  const key = thumbnailKey({ userId: anaId, id: Number(id) }, 320)
  await world.ctx.storage.put('user-media', key, Buffer.from('small'))
  const response = await world.visitor().fetch(files[0]!.thumbnails[0]!.url)
  expect([response.status, await response.text()]).toEqual([200, 'small'])
})

describe('filters', () => {
  test('by category', async () => {
    await ana.vault.upload({ form: { file: pngFile('a.png'), source: 'babecock' } })
    await ana.vault.upload({ form: { file: pngFile('b.png'), source: 'hypnococks' } })
    await ana.vault.upload({ form: { file: pngFile('c.png') } })
    const categories = { 'smart-caption': 0, babecock: 1, hypnococks: 1, upload: 1 }
    const list = async (category: 'all' | 'babecock' | 'smart-caption' | 'upload') => {
      const answer = await ana.vault.list({ query: { category } })
      expect(answer.categories).toEqual(categories)
      expect(answer.totalCount).toBe(answer.files.length)
      return namesOf(answer)
    }
    expect(await list('all')).toEqual(['c.png', 'b.png', 'a.png'])
    expect(await list('babecock')).toEqual(['a.png'])
    expect(await list('upload')).toEqual(['c.png'])
    expect(await list('smart-caption')).toEqual([])
  })

  test('by day, week, month and year, as UTC has them', async () => {
    const times = {
      'today.png': '2026-03-02T00:00:00Z',
      'yesterday.png': '2026-03-01T23:59:59.999Z',
      'month.png': '2026-03-01T00:00:00Z',
      'week.png': '2026-02-23T12:30:00.000Z',
      'older.png': '2026-02-23T12:29:59.999Z',
      'year.png': '2026-01-01T00:00:00Z',
      'before.png': '2025-12-31T23:59:59.999Z',
    }
    for (const [name, time] of Object.entries(times))
      await change((await upload(ana, name)).id, { created_at: new Date(time) })
    const now = vi.spyOn(world.ctx, 'now').mockReturnValue(new Date('2026-03-02T12:30:00Z'))
    try {
      const list = async (dateRange: 'all' | 'today' | 'week' | 'month' | 'year') => {
        const answer = await ana.vault.list({ query: { dateRange } })
        expect(answer.totalCount).toBe(answer.files.length)
        expect(answer.categories.upload).toBe(7)
        return namesOf(answer)
      }
      const names = Object.keys(times)
      expect(await list('today')).toEqual(names.slice(0, 1))
      expect(await list('month')).toEqual(names.slice(0, 3))
      expect(await list('week')).toEqual(names.slice(0, 4))
      expect(await list('year')).toEqual(names.slice(0, 6))
      expect(await list('all')).toEqual(names)
    } finally {
      now.mockRestore()
    }
  })

  test('by words in the names, the caption and the character, in upper or lower case', async () => {
    const { id: first } = await upload(ana, 'Evening Light.png')
    const { id: second } = await upload(ana, '100%_done.png')
    const { id: third } = await upload(ana, 'plain.png')
    await change(first, { caption: 'A Stroll\nby the river' })
    await change(third, { character_name: 'Lady ÉLISE' })
    await upload(bo, 'Evening Light.png')
    const find = async (search: string) => {
      const { files, totalCount } = await ana.vault.list({ query: { search } })
      expect(totalCount).toBe(files.length)
      return files.map(({ id }) => String(id))
    }
    expect(await find('evening l')).toEqual([first])
    expect(await find('Evening_Light')).toEqual([first])
    expect(await find('STROLL')).toEqual([first])
    expect(await find('élise')).toEqual([third])
    expect(await find('%')).toEqual([second])
    expect(await find('0%_')).toEqual([second])
    expect(await find('.png')).toEqual([third, second, first])
    expect(await find('general-')).toEqual([third, second, first])
    expect(await find('\\')).toEqual([])
    expect(await find('lightA')).toEqual([])
    expect(await find('')).toHaveLength(3)
  })

  test('combined', async () => {
    await ana.vault.upload({ form: { file: pngFile('one.png'), source: 'babecock' } })
    await ana.vault.upload({ form: { file: pngFile('two.png'), source: 'babecock' } })
    await upload(ana, 'one.png')
    const query = { category: 'babecock', search: 'ONE', dateRange: 'year' } as const
    expect(await ana.vault.list({ query })).toMatchObject({
      files: [{ name: 'one.png', category: 'babecock' }],
      totalCount: 1,
      categories: { babecock: 2, upload: 1 },
    })
  })

  test.each([
    '?category=nonsense',
    '?dateRange=decade',
    '?limit=0',
    '?limit=201',
    '?limit=x',
    '?cursor=nonsense',
    `?cursor=${forge(['2026-02-30T00:00:00.000000Z', 1])}`,
    `?cursor=${forge(['0000-02-01T00:00:00.000000Z', 1])}`,
    `?cursor=${forge(['2026-02-01T00:00:00.000000Z', 9_999_999_999])}`,
    `?search=${'x'.repeat(201)}`,
  ])('with invalid values are refused: %s', async (query) => {
    const response = await ana.fetch(`/api/user/media${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'Validation Error' })
  })
})

describe('pages', () => {
  test('show every file once, though many have one timestamp', async () => {
    const uploads = []
    for (let number = 0; number < 7; number += 1) uploads.push(await upload(ana, `${number}.png`))
    for (const { id } of uploads.slice(0, 5)) await change(id, { created_at: new Date(0) })
    const seen: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < 4; page += 1) {
      const query = { limit: '2', ...(cursor === undefined ? {} : { cursor }) }
      const answer = await ana.vault.list({ query })
      expect(answer.totalCount).toBe(7)
      seen.push(...namesOf(answer))
      cursor = answer.nextCursor ?? undefined
      expect(answer.nextCursor === null).toBe(page === 3)
    }
    expect(seen).toEqual(['6.png', '5.png', '4.png', '3.png', '2.png', '1.png', '0.png'])
  })

  test('end with the last file, not with an empty page', async () => {
    for (let number = 0; number < 4; number += 1) await upload(ana, `${number}.png`)
    const first = await ana.vault.list({ query: { limit: '2' } })
    const query = { limit: '2', cursor: first.nextCursor ?? '' }
    const second = await ana.vault.list({ query })
    expect(namesOf(second)).toEqual(['1.png', '0.png'])
    expect(second.nextCursor).toBeNull()
  })

  test('keep to the filters', async () => {
    for (const name of ['a1.png', 'b1.png', 'a2.png', 'a3.png']) await upload(ana, name)
    const first = await ana.vault.list({ query: { search: 'a', limit: '2', category: 'upload' } })
    expect(first.totalCount).toBe(4)
    const found = await ana.vault.list({ query: { search: '-a', limit: '2' } })
    expect([namesOf(found), found.totalCount]).toEqual([['a3.png', 'a2.png'], 3])
    const cursor = found.nextCursor ?? ''
    const rest = await ana.vault.list({ query: { search: '-a', limit: '2', cursor } })
    expect([namesOf(rest), rest.totalCount]).toEqual([['a1.png'], 3])
  })
})

test('a failing list reports an error', async () => {
  await world.ctx.db.schema.alterTable('vault_counts').renameTo('vault_counts_away').execute()
  try {
    expect(await refused(ana.vault.list())).toMatchObject({
      status: 500,
      body: { message: 'Failed to fetch user media' },
    })
  } finally {
    await world.ctx.db.schema.alterTable('vault_counts_away').renameTo('vault_counts').execute()
  }
})

function forge(place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}
