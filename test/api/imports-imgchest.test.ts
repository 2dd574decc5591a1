/** Sessions from imgchest posts: through its API, or from its pages (contract 4.2, 10, 12). */
import { describe, expect, test } from 'vitest'
import type { Asked, Reply } from '../support/far-site.ts'
import { rudeReplies } from '../support/far-site.ts'
import type { TestPost } from '../support/imgchest-server.ts'
import { imgchestToken, serveImgchest } from '../support/imgchest-server.ts'
import type { ImportWorld } from '../support/import-world.ts'
import { createImportWorld } from '../support/import-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: ImportWorld
let ana: Person
let adult: Person

useWorld(createImportWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
  adult = await world.adult('bo')
})

describe('an imgchest post', () => {
  async function open(
    posts: Record<string, TestPost>,
    options: { token?: string; instead?: (asked: Asked) => Reply } = { token: imgchestToken },
  ) {
    const server = await serveImgchest(posts, options.instead)
    Object.assign(world.ctx.config, {
      imgchest: { apiUrl: server.origin, token: options.token },
    })
    return server
  }
  const importPost = (person: Person, url = 'https://imgchest.com/p/abc123', title?: string) =>
    person.imports.importSession({ body: { url, ...(title === undefined ? {} : { title }) } })
  const links = () => [`${world.site.origin}/png/1.png`, `${world.site.origin}/jpg/2.jpg`]

  test('is read through the API with a token, with its title and description', async () => {
    const server = await open({
      abc123: { title: 'Fine days', links: links(), descriptions: [' A first word ', null] },
    })
    const { session, media } = await importPost(ana, 'https://www.imgchest.com/p/abc123?x=1')
    expect(session).toMatchObject({
      title: 'Fine days',
      isImported: true,
      importSource: 'imgchest',
      importUrl: 'https://imgchest.com/p/abc123',
      nsfw: false,
    })
    expect(media.map(({ mediaUrl, caption }) => [mediaUrl, caption])).toEqual([
      [links()[0], 'A first word'],
      [links()[1], null],
    ])
    expect(server.asked.map(({ path }) => path)).toEqual(['/v1/post/abc123'])
    await world.runJobs()
    const after = await ana.sessions.read({ params: { id: String(session.id) } })
    expect(after.media.every(({ mediaUrl }) => mediaUrl?.startsWith('/media/'))).toBe(true)
    expect((await importPost(ana, undefined, 'My own words')).session.title).toBe('My own words')
  })

  test('is read from its page without a token', async () => {
    const server = await open({ abc123: { title: "Bo's & <mine>", links: links() } }, {})
    const { session, media } = await importPost(ana)
    expect(session).toMatchObject({ title: "Bo's & <mine>", nsfw: false })
    expect(media).toHaveLength(2)
    expect(server.asked).toMatchObject([{ path: '/p/abc123' }])
    expect(server.asked[0]?.headers.authorization).toBeUndefined()
  })

  test('is read from its pictures if the page has no data, and then counts as adult', async () => {
    const tags = ['1.png', '2.jpg', '1.png'].map(
      (name) => `<img src="https://cdn.imgchest.com/files/${name}">`,
    )
    const body = `<meta property="og:title" content="Old &amp; plain">${tags.join('')}`
    await open({}, { instead: () => ({ body }) })
    expect((await refused(importPost(ana))).body).toMatchObject({
      code: 'AGE_VERIFICATION_REQUIRED',
    })
    const { session, media } = await importPost(adult)
    expect(session).toMatchObject({ title: 'Old & plain', nsfw: true, mediaCount: 2 })
    expect(media[0]?.mediaUrl).toBe('https://cdn.imgchest.com/files/1.png')
  })

  test('may have text in its title that only looks like entities', async () => {
    const body =
      '<meta property="og:title" content="A &constructor; &toString; &QUOT;">' +
      '<img src="https://cdn.imgchest.com/files/1.png">'
    await open({}, { instead: () => ({ body }) })
    expect((await importPost(adult)).session.title).toBe('A &constructor; &toString; "')
  })

  test('is read in linear time, however many unclosed tags its page has', async () => {
    // A parser that backtracks at each tag would take hours.
    const body = `<img src="https://cdn.imgchest.com/files/1.png">${'<img '.repeat(1_000_000)}`
    await open({}, { instead: () => ({ body }) })
    expect((await importPost(adult)).media).toHaveLength(1)
  })

  test.each([true, 1, '1', 'true', undefined, null])(
    'that says nsfw %s needs a verified age',
    async (nsfw) => {
      await open({ abc123: { nsfw: nsfw ?? null, links: links() } })
      expect(await refused(importPost(ana))).toMatchObject({
        status: 403,
        body: { code: 'AGE_VERIFICATION_REQUIRED' },
      })
      expect(await ana.sessions.list()).toEqual([])
      const { media } = await importPost(adult)
      expect(media.every(({ nsfw }) => nsfw)).toBe(true)
    },
  )

  test('that does not say whether it is adult needs a verified age', async () => {
    const data = { title: 'Silent', images: [{ link: links()[0] }] }
    await open({}, { token: imgchestToken, instead: () => ({ body: { data } }) })
    expect((await refused(importPost(ana))).status).toBe(403)
    expect((await importPost(adult)).media).toMatchObject([{ nsfw: true }])
  })

  test.each([true, 1, '1', 'true', 'perhaps'])(
    'with a file that says nsfw %s shows that file only to age-verified accounts',
    async (nsfw) => {
      for (const options of [{ token: imgchestToken }, {}]) {
        await open({ abc123: { links: links(), fileNsfw: [nsfw, '0'] } }, options)
        const { media, session, skipped } = await importPost(ana)
        expect(media.map(({ mediaUrl }) => mediaUrl)).toEqual([links()[1]])
        expect(skipped).toMatchObject([{ source: links()[0], code: 'age_restricted' }])
        expect(session.nsfw).toBe(false)
        expect((await importPost(adult)).media.map(({ nsfw }) => nsfw)).toEqual([true, false])
      }
    },
  )

  test.each([false, 0, '0', 'false', null])(
    'with a file that says nsfw %s is for everyone',
    async (nsfw) => {
      await open({ abc123: { links: links(), fileNsfw: [nsfw, nsfw] } })
      expect((await importPost(ana)).media.map(({ nsfw }) => nsfw)).toEqual([false, false])
    },
  )

  test('that does not exist is not found, in both ways', async () => {
    await open({})
    expect(await refused(importPost(ana))).toMatchObject({
      status: 404,
      body: { message: 'Post not found' },
    })
    await open({}, {})
    expect((await refused(importPost(ana))).status).toBe(404)
    await open({}, { instead: () => ({ body: '<title>Not Found</title>' }) })
    expect((await refused(importPost(ana))).status).toBe(404)
  })

  test('without pictures, or with private addresses, imports nothing', async () => {
    await open({ abc123: { links: [] } })
    expect((await refused(importPost(ana))).body).toMatchObject({ code: 'NOTHING_TO_IMPORT' })
    await open({ abc123: { links: ['http://10.0.0.1/a.png', 'file:///etc/passwd'] } })
    expect((await refused(importPost(ana))).body).toMatchObject({
      code: 'NOTHING_TO_IMPORT',
      skipped: [{ code: 'refused_address' }, { code: 'invalid_address' }],
    })
  })

  test('is read from IMGCHEST_API_URL, but the addresses in it are checked', async () => {
    // The server is on loopback and not in FETCH_ALLOW.
    const server = await open({ abc123: { links: links() } })
    expect(world.ctx.config.fetchAllow).not.toContain(server.host)
    expect((await importPost(ana)).media).toHaveLength(2)
    await open({ abc123: { links: [`${server.origin}/a.png`] } })
    expect((await refused(importPost(ana))).body).toMatchObject({
      skipped: [{ code: 'refused_address' }],
    })
    const location = `${server.origin}/v1/post/abc123`
    const elsewhere = { status: 302, headers: { location }, body: '' }
    await open({}, { token: imgchestToken, instead: () => elsewhere })
    expect((await refused(importPost(ana))).status).toBe(502)
    expect(server.asked).toHaveLength(1)
  })

  test('with very many files names a thousand skipped files, and counts the rest', async () => {
    const many = Array.from({ length: 2500 }, (_, index) => `http://10.0.0.1/${index}.png`)
    await open({ abc123: { links: [...links(), ...many] } })
    const { media, skipped } = await importPost(ana)
    expect(media).toHaveLength(2)
    expect(skipped).toHaveLength(1001)
    expect(skipped[999]).toMatchObject({ source: many[999], code: 'refused_address' })
    expect(skipped[1000]).toMatchObject({ source: '1500 more', code: 'too_many' })
  })

  test.each([
    'https://imgur.com/a/abc123',
    'https://imgchest.com.evil.example/p/abc123',
    'https://imgchest.com/u/someone',
    'https://imgchest.com/p/',
    'https://imgchest.com/p/../../v1/me',
    'http://127.0.0.1/p/abc123',
    'imgchest.com/p/abc123',
    'file:///p/abc123',
    '',
  ])('does not match %j', async (url) => {
    const server = await open({ abc123: { links: links() } })
    const { status, message } = await refused(importPost(ana, url))
    expect(status).toBe(400)
    expect(message).toContain('must be the address of an imgchest post')
    expect(server.asked).toEqual([])
  })

  test.each(Object.keys(rudeReplies).filter((kind) => kind !== 'no answer at all'))(
    'behind %s fails, and nothing is created',
    async (kind) => {
      for (const token of [imgchestToken, undefined]) {
        await open({}, { ...(token && { token }), instead: () => rudeReplies[kind]! })
        const { status, body } = await refused(importPost(ana))
        expect(status).toBe(502)
        expect(body).toMatchObject({ code: 'IMPORT_SOURCE_UNAVAILABLE' })
      }
      expect(await ana.sessions.list()).toEqual([])
    },
  )

  test('fails if the site rejects the token or is down', async () => {
    const server = await open({ abc123: { links: links() } }, { token: 'an old token' })
    expect((await refused(importPost(ana))).status).toBe(502)
    server.stop()
    expect((await refused(importPost(ana))).message).toContain('imgchest cannot be reached')
  })
})
