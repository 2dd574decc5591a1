/**
 * Sessions imported from a list of addresses: they exist at once, and their files are copied later
 * (contract 4.2).
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import { importEvents } from '../../src/contract/imports.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld } from '../support/community-world.ts'
import { useWorld } from '../support/use-world.ts'
import { upload } from '../support/vault-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: CommunityWorld
let ana: Person
let bo: Person

useWorld(createCommunityWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
})

const at = (path: string) => `${world.site.origin}/${path}`
const importUrls = (person: Person, urls: string[], title = 'Brought along') =>
  person.imports.importSession({ body: { title, urls } })
const read = (person: Person, id: number) => person.sessions.read({ params: { id: String(id) } })
const codes = (skipped: readonly { source: string; code: string }[]) =>
  skipped.map(({ source, code }) => [source, code])

describe('a list of addresses', () => {
  test('becomes a session at once, whose slides point to the originals until they are copied', async () => {
    const urls = [at('jpg/a.jpg'), at('gif/b.gif'), at('webm/c.webm')]
    const before = await ana.credits.balance()
    const { session, media, skipped } = await importUrls(ana, urls)
    expect(session).toMatchObject({
      title: 'Brought along',
      isImported: true,
      importSource: 'urls',
      importUrl: null,
      fillStatus: 'ready',
      isPublic: false,
      subfeeds: [],
      mediaCount: 3,
      thumbnail: urls[0],
    })
    expect(media.map(({ mediaUrl, type, order }) => [mediaUrl, type, order])).toEqual([
      [urls[0], 'image', 0],
      [urls[1], 'gif', 1],
      [urls[2], 'video', 2],
    ])
    expect(skipped).toEqual([])
    expect(await ana.credits.balance()).toEqual(before)
    await world.runJobs()
    const after = await read(ana, session.id)
    expect(after.media.map(({ id, type, order }) => [id, type, order])).toEqual(
      media.map(({ id, type, order }) => [id, type, order]),
    )
    expect(after.media[0]).toMatchObject({ width: 900, height: 600 })
    for (const slide of after.media)
      expect((await world.visitor().fetch(slide.mediaUrl ?? '')).status).toBe(200)
    expect(after.session.thumbnail).toBe(after.media[0]!.thumbnail)
    expect(after.session.updatedAt).toBe(session.updatedAt)
    const folder = `users/${session.userId}/manual-sessions/${session.id}/`
    const files = await world.filesIn('user-media')
    expect(files.every((key) => key.startsWith(folder))).toBe(true)
    const endings = files.map((key) => key.replace(/.*\./, ''))
    expect(endings.toSorted()).toEqual(['gif', 'jpg', 'webm', 'webp', 'webp'])
    expect(await unclaimed()).toEqual([])
  })

  test('is reported as copying until it ends, whatever is added later', async () => {
    const { session, isCopying } = await importUrls(ana, [at('png/a.png'), at('page')])
    expect(isCopying).toBe(true)
    expect((await read(ana, session.id)).isCopying).toBe(true)
    await world.runJobs()
    const copied = await read(ana, session.id)
    expect(copied.isCopying).toBe(false)
    const slides = [{ id: copied.media[0]!.id }, { mediaUrl: at('png/b.png') }]
    const params = { id: String(session.id) }
    const edited = await ana.sessions.replaceMedia({ params, body: { slides } })
    expect(edited).toMatchObject({ isCopying: false, media: { length: 2 } })
    expect((await read(ana, session.id)).isCopying).toBe(false)
  })

  test('reports its progress slide by slide to its owner', async () => {
    const { session, media } = await importUrls(ana, [at('png/a.png'), at('page'), at('png/b.png')])
    await world.runJobs()
    const told = await world.told(String(session.id))
    const kinds = told.map(({ type }) => type)
    expect(kinds[0]).toBe('importing')
    expect(told[0]?.data).toEqual({ done: 0, total: 3 })
    expect(kinds.at(-1)).toBe('imported')
    expect(told.at(-1)?.data).toEqual({ mediaCount: 2, skippedCount: 1 })
    expect(kinds.filter((kind) => kind === 'media')).toHaveLength(2)
    for (const { type, data } of told)
      expect(importEvents[type as keyof typeof importEvents].parse(data)).toEqual(data)
    const left = told.find(({ type }) => type === 'skipped')
    expect(left?.data).toMatchObject({
      mediaId: media[1]!.id,
      source: at('page'),
      code: 'not_media',
    })
    expect(told.findLast(({ type }) => type === 'importing')?.data).toEqual({ done: 3, total: 3 })
  })

  test('imports each picture once, and names addresses without media', async () => {
    const { media, skipped } = await importUrls(ana, [
      at('png/a.png'),
      ` ${at('png/a.png')}?utm_source=x `,
      'not an address',
      '',
      'ftp://example.com/a.png',
      'javascript:alert(1)',
      'http://127.0.0.1:1/a.png',
      'http://169.254.169.254/latest/meta-data',
      'http://[::1]/a.png',
      'https://user:word@example.com/a.png',
      'https://example.com/readme.html',
      '/etc/passwd',
      '/covers/0011223344556677.svg',
      `https://example.com/${'a'.repeat(5000)}.png`,
    ])
    expect(media.map(({ mediaUrl }) => mediaUrl)).toEqual([at('png/a.png')])
    expect(codes(skipped).map(([, code]) => code)).toEqual([
      'invalid_address',
      'invalid_address',
      'invalid_address',
      'invalid_address',
      'refused_address',
      'refused_address',
      'refused_address',
      'invalid_address',
      'not_media',
      'not_media',
      'not_media',
      'invalid_address',
    ])
    expect(skipped[0]).toEqual({
      source: 'not an address',
      reason: 'This is not an http or https address',
      code: 'invalid_address',
    })
    expect(skipped.at(-1)?.source).toHaveLength(500)
  })

  test('without a usable address is refused with the reasons, and nothing is created', async () => {
    const { status, body } = await refused(importUrls(ana, ['nowhere', 'http://10.0.0.1/a.png']))
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'NOTHING_TO_IMPORT',
      skipped: [
        { source: 'nowhere', code: 'invalid_address' },
        { source: 'http://10.0.0.1/a.png', code: 'refused_address' },
      ],
    })
    expect(await ana.sessions.list()).toEqual([])
  })

  test.each([
    [
      '501 addresses',
      { title: 'T', urls: Array.from({ length: 501 }, (_, i) => `https://a.example/${i}.png`) },
    ],
    ['no addresses', { title: 'T', urls: [] }],
    ['no title', { urls: ['https://a.example/1.png'] }],
    ['an empty title', { title: ' ', urls: ['https://a.example/1.png'] }],
    ['a huge title', { title: 'x'.repeat(201), urls: ['https://a.example/1.png'] }],
    ['numbers', { title: 'T', urls: [1, 2] }],
    ['an object', { title: 'T', urls: { 0: 'https://a.example/1.png' } }],
    ['two ways at once', { title: 'T', urls: ['https://a.example/1.png'], listing: [] }],
    ['nothing at all', { title: 'T' }],
  ])('with %s is refused', async (_, body) => {
    const { status } = await refused(
      ana.imports.importSession({ body: body as { title: string; urls: string[] } }),
    )
    expect(status).toBe(400)
    expect(await ana.sessions.list()).toEqual([])
  })

  test('a session can have 500 addresses', async () => {
    const urls = Array.from({ length: 500 }, (_, index) => at(`png/${index}.png`))
    const { media } = await importUrls(ana, urls)
    expect(media).toHaveLength(500)
    await ana.sessions.remove({ params: { id: String(media[0]!.sessionId) } })
    expect(await world.runJobs()).toBeGreaterThan(0)
    expect(world.site.asked).toEqual([])
  })

  test('leaves out addresses that act on this site, also with its other scheme', async () => {
    const { baseUrl } = world.ctx.config
    const { host } = new URL(baseUrl)
    const acting = ['http', 'https'].map((scheme) => `${scheme}://${host}/api/logout`)
    Object.assign(world.ctx.config, { baseUrl: `https://${host}` })
    onTestFinished(() => void Object.assign(world.ctx.config, { baseUrl }))
    const { skipped, media } = await importUrls(ana, [...acting, at('jpg/a.jpg')])
    expect(codes(skipped)).toEqual(acting.map((address) => [address, 'not_media']))
    expect(media.map(({ mediaUrl }) => mediaUrl)).toEqual([at('jpg/a.jpg')])
  })

  test('shows files of the caller’s vault as they are, and copies those of other accounts', async () => {
    const own = await upload(ana)
    const theirs = await upload(bo)
    const { session, media } = await importUrls(ana, [own.fileUrl, theirs.fileUrl, own.fileUrl])
    expect(media).toHaveLength(2)
    await world.runJobs()
    const after = await read(ana, session.id)
    expect(after.media[0]).toEqual(media[0])
    expect(after.media[1]!.mediaUrl).toContain(`/users/${session.userId}/manual-sessions/`)
    const alone = await importUrls(ana, [own.fileUrl])
    expect((await world.told(String(alone.session.id))).map(({ type }) => type)).toEqual([
      'imported',
    ])
    await ana.vault.remove({ params: { id: own.id } })
    expect((await read(ana, alone.session.id)).media).toEqual([])
    const gone = await importUrls(ana, [own.fileUrl])
    await world.runJobs()
    expect(codes((await read(ana, gone.session.id)).skipped)).toEqual([[own.fileUrl, 'not_found']])
  })
})

describe('media that cannot be downloaded', () => {
  test('leave the session and are named, with a reason', async () => {
    world.site.gone.add('missing')
    const urls = [
      at('png/missing.png'),
      at('png/a.png'),
      at('hello.png'),
      'http://nowhere.invalid/a.png',
    ]
    const { session } = await importUrls(ana, urls)
    expect(session.thumbnail).toBe(urls[0])
    await world.runJobs()
    const after = await read(ana, session.id)
    expect(after.media).toHaveLength(1)
    expect(after.media[0]).toMatchObject({ order: 0 })
    expect(after.session).toMatchObject({ mediaCount: 1, thumbnail: after.media[0]!.thumbnail })
    expect(Object.fromEntries(codes(after.skipped))).toEqual({
      [urls[0]!]: 'not_found',
      [urls[2]!]: 'not_media',
      [urls[3]!]: 'unreachable',
    })
    for (const { reason } of after.skipped) expect(reason).toMatch(/^[A-Z].{10,}/)
  })

  test('are named to the owner only', async () => {
    const { session } = await importUrls(ana, [at('png/a.png'), at('page'), 'nonsense'])
    await world.runJobs()
    expect((await read(ana, session.id)).skipped).toHaveLength(2)
    const params = { id: String(session.id) }
    await ana.sessions.update({ params, body: { isPublic: true } })
    expect((await read(bo, session.id)).skipped).toEqual([])
    const { shareCode } = await ana.sharing.shareSession({ params, body: {} })
    const shared = await bo.sharing.open({ params: { code: shareCode } })
    expect(shared.skipped).toEqual([])
    const heard = await bo.fetch(`/api/sessions/${session.id}/events`, {
      headers: { 'last-event-id': '0' },
      signal: AbortSignal.timeout(1500),
    })
    const text = await readFor(heard)
    expect(text).toContain('event: imported')
    expect(text).not.toContain('event: skipped')
    expect(text).not.toContain('event: media')
  })
})

test('an imported session refuses changes of its feed, and accepts others', async () => {
  const { session } = await importUrls(ana, [at('png/a.png')])
  const params = { id: String(session.id) }
  for (const body of [{ subfeeds: 'city' }, { captionTheme: 'custom' as const }, { aiPrompt: 'x' }])
    expect((await refused(ana.sessions.update({ params, body }))).status).toBe(400)
  expect(await ana.sessions.update({ params, body: { title: 'Mine' } })).toMatchObject({
    title: 'Mine',
  })
  expect((await refused(bo.sessions.update({ params, body: { title: 'His' } }))).status).toBe(403)
  expect((await refused(read(bo, session.id))).status).toBe(403)
})

test('an edit during the copy wins, and the response names the skipped media', async () => {
  const { session, media } = await importUrls(ana, [at('png/a.png'), at('png/b.png'), 'nonsense'])
  const params = { id: String(session.id) }
  const { skipped } = await ana.sessions.replaceMedia({
    params,
    body: { slides: [{ id: media[1]!.id, caption: 'Kept' }, { mediaUrl: at('png/new.png') }] },
  })
  expect(codes(skipped)).toEqual([['nonsense', 'invalid_address']])
  await world.runJobs()
  const after = await read(ana, session.id)
  expect(after.media.map(({ caption }) => caption)).toEqual(['Kept', null])
  expect(after.media[0]!.mediaUrl).toMatch(/^\/media\//)
  expect(after.media[1]!.mediaUrl).toBe(at('png/new.png'))
})

const unclaimed = async () =>
  (await world.ctx.db.selectFrom('unclaimed_files').select('key').execute()).map(({ key }) => key)

async function readFor(response: Response): Promise<string> {
  let text = ''
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
  } catch {
    // The stream does not end by itself.
  }
  return text
}
