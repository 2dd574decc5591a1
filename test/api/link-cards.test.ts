/** The card of a link: the picture and the tags that other sites show where the link was posted. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { sweepUnclaimedFiles } from '../../src/server/features/files/unclaimed-files.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { createFakeFeed } from '../support/fake-feed.ts'
import type { PictureSite } from '../support/picture-site.ts'
import { startPictureSite } from '../support/picture-site.ts'
import { colourAt, pixelsOf, plain, red, green, blue } from '../support/pictures.ts'
import type { Colour } from '../support/pictures.ts'
import { makeFilm } from '../support/sample-media.ts'
import { copyTemplate, engine, openTestDatabase, testOnServer } from '../support/test-database.ts'
import { clearShelves, keysIn, putMedia } from '../support/vault-media.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

const settings = { SESSION_SECRET: 'the same on both nodes' }

let site: PictureSite
let world: World
let ana: Person
let databaseUrl: string | null = null

beforeAll(async () => {
  await buildWebIfStale()
  site = await startPictureSite()
  const webFolder = fileURLToPath(new URL('../../dist/web', import.meta.url))
  if (engine === 'postgres') databaseUrl = await copyTemplate()
  world = await createWorld(
    { ...settings, FETCH_ALLOW: site.host },
    { webFolder, feed: createFakeFeed(), database: await openDatabase() },
  )
})
afterAll(async () => {
  await world.close()
  await site.close()
})
beforeEach(async () => {
  await clearShelves(world)
  world.clock.set(new Date().toISOString())
  ana = await world.as('ana')
  site.asked.length = 0
  site.gone.clear()
})

function openDatabase() {
  return databaseUrl === null ? openTestDatabase() : connectToServer(databaseUrl)
}

type NewSlides = Parameters<Person['sessions']['createManual']>[0]['body']['slides']

const picture = async (colour: Colour) =>
  Number(await putMedia(ana, await plain(1500, 1000, colour), 'photo.png'))

async function make(slides: NewSlides, share: object = { access: 'anyone' }) {
  await world.runJobs()
  const { session } = await ana.sessions.createManual({
    body: { title: 'Harbour & "sea"', slides },
  })
  const id = String(session.id)
  await world.runJobs()
  return { id, code: await shareAs(id, share) }
}

async function shareAs(id: string, body: object): Promise<string> {
  return (await ana.sharing.shareSession({ params: { id }, body })).shareCode
}

async function tagsOf(path: string): Promise<Record<string, string>> {
  const html = await (await world.visitor({ accept: 'text/html' }).fetch(path)).text()
  const tags = [...html.matchAll(/<meta (?:property="og:|name=")([\w:]+)" content="([^"]*)"/g)]
  return Object.fromEntries(tags.map(([, name, content]) => [name, content]))
}

/** Requests the picture that the page of the link names. */
async function cardOf(code: string): Promise<Response> {
  const { image = '' } = await tagsOf(`/shared/${code}`)
  expect(image.startsWith(world.ctx.config.baseUrl)).toBe(true)
  return world.visitor().fetch(image.slice(world.ctx.config.baseUrl.length))
}

async function colourOf(code: string): Promise<string> {
  const answer = await cardOf(code)
  if (answer.status !== 200) return String(answer.status)
  return colourAt(await pixelsOf(Buffer.from(await answer.arrayBuffer())), 600, 315)
}

const neutral = async (path: string) => {
  const tags = await tagsOf(path)
  expect(tags).toMatchObject({
    image: `${world.ctx.config.baseUrl}/card.jpg`,
    'image:type': 'image/jpeg',
    'image:width': '1200',
    'image:height': '630',
    'image:alt': 'Lanternist',
    'twitter:card': 'summary_large_image',
  })
}

const cards = async () =>
  (await keysIn(world, 'user-media')).filter((key) => key.includes('/derived/cards/'))

describe('a link that shows a picture', () => {
  test('has a JPEG of the size that its tags tell', async () => {
    const { code } = await make([{ mediaId: await picture(red) }])
    const tags = await tagsOf(`/shared/${code}`)
    expect(tags).toMatchObject({
      title: 'Harbour &#38; &#34;sea&#34;',
      image: expect.stringMatching(
        new RegExp(String.raw`/shared/${code}/card\.jpg\?v=[0-9a-f]{16}$`),
      ),
      'image:type': 'image/jpeg',
      'image:width': '1200',
      'image:height': '630',
      'image:alt': 'Harbour &#38; &#34;sea&#34;',
      'twitter:card': 'summary_large_image',
    })
    expect((await tagsOf(`/shared/${code}/play`))['image']).toBe(tags['image'])

    const answer = await cardOf(code)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    expect(answer.headers.get('cache-control')).toBe('private, max-age=60')
    const bytes = Buffer.from(await answer.arrayBuffer())
    const { format, width, height } = await sharp(bytes).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 })
    expect(bytes.length).toBeLessThanOrEqual(300_000)

    const address = `/shared/${code.toUpperCase()}/card.jpg`
    const head = await world.visitor().fetch(address, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
    const etag = answer.headers.get('etag') ?? ''
    const again = await world.visitor().fetch(address, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  test('is open to members alone, and still has one: its preview shows the same picture', async () => {
    const { code } = await make([{ mediaId: await picture(red) }], { access: 'members' })
    expect(await colourOf(code)).toBe('red')
  })

  test('shows a film by its poster, and an animation by its first page', async () => {
    const film = Number(await putMedia(ana, await makeFilm({ width: 640, height: 480 }), 'a.mp4'))
    const pages = await Promise.all([plain(400, 300, green), plain(400, 300, red)])
    const gif = await sharp(pages, { join: { animated: true } })
      .gif()
      .toBuffer()
    const animation = Number(await putMedia(ana, gif, 'b.gif'))
    const ofFilm = await make([{ mediaId: film }, { mediaId: animation }])
    const answer = await cardOf(ofFilm.code)
    expect(answer.status).toBe(200)
    const { at } = await pixelsOf(Buffer.from(await answer.arrayBuffer()))
    // The film is red above and blue below.
    expect(at(600, 100)[0]).toBeGreaterThan(at(600, 100)[2] ?? 255)
    expect(at(600, 530)[2]).toBeGreaterThan(at(600, 530)[0] ?? 255)
    const ofAnimation = await make([{ mediaId: animation }])
    expect(await colourOf(ofAnimation.code)).toBe('green')
  })

  test('shows the picture of another site, and looks again after a day', async () => {
    const { code } = await make([{ mediaUrl: `${site.origin}/photo/1` }])
    const asked = () => site.asked.filter((path) => path === '/photo/1').length
    const before = asked()
    expect((await cardOf(code)).status).toBe(200)
    expect((await cardOf(code)).status).toBe(200)
    expect(asked() - before).toBe(1)
    world.clock.advance(25 * 3_600_000)
    expect((await cardOf(code)).status).toBe(200)
    expect(asked() - before).toBe(2)
    expect(await cards()).toHaveLength(2)
    await sweepUnclaimedFiles(world.ctx)
    expect(await cards()).toHaveLength(1)
  })

  test('follows its slides', async () => {
    const [first, second] = [await picture(red), await picture(green)]
    const { id, code } = await make([{ mediaId: first }, { mediaId: second }])
    expect(await colourOf(code)).toBe('red')
    const named = (await tagsOf(`/shared/${code}`))['image']
    await ana.vault.remove({ params: { id: String(first) } })
    expect(await colourOf(code)).toBe('green')
    expect((await tagsOf(`/shared/${code}`))['image']).not.toBe(named)
    await ana.sessions.remove({ params: { id } })
    expect((await world.visitor().fetch(`/shared/${code}/card.jpg`)).status).toBe(404)
    await sweepUnclaimedFiles(world.ctx)
    expect(await cards()).toEqual([])
  })
})

describe('a picture that cannot be shown', () => {
  test('leaves its place to the next one', async () => {
    site.gone.add('missing')
    const { code } = await make([
      { mediaUrl: `${site.origin}/page/this-is-no-picture.jpg` },
      { mediaUrl: `${site.origin}/missing.jpg` },
      { mediaId: await picture(blue) },
    ])
    expect(await colourOf(code)).toBe('blue')
  })

  test('leaves the card of the site, and is tried again later', async () => {
    site.gone.add('photo')
    const { code } = await make([
      { mediaUrl: `${site.origin}/photo/1` },
      { mediaUrl: 'http://169.254.169.254/latest/meta-data' },
    ])
    const asked = () => site.asked.filter((path) => path === '/photo/1').length
    const before = asked()
    for (let count = 0; count < 3; count += 1) {
      const answer = await cardOf(code)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/card.jpg'])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    expect(asked() - before).toBe(1)
    site.gone.clear()
    world.clock.advance(11 * 60_000)
    expect((await cardOf(code)).status).toBe(200)
  })

  test('is never one for adults', async () => {
    const { code } = await make([
      { mediaUrl: `${site.origin}/photo/adult` },
      { mediaId: await picture(green) },
    ])
    await world.ctx.db
      .updateTable('session_media')
      .set({ nsfw: true })
      .where('media_url', 'like', '%/photo/adult')
      .execute()
    site.asked.length = 0
    expect(await colourOf(code)).toBe('green')
    expect(site.asked.filter((path) => path.includes('adult'))).toEqual([])
  })
})

describe('a link that shows no picture to strangers', () => {
  test('has the card of the site, and its own answers 404 or 410', async () => {
    const { id, code } = await make([{ mediaId: await picture(red) }])
    const own = `/shared/${code}/card.jpg`
    const statusNow = async () => (await world.visitor().fetch(own)).status
    const pages = [`/shared/${code}`, `/shared/${code}/play`]
    const expectNone = async (status: number) => {
      for (const path of pages) await neutral(path)
      expect(await statusNow()).toBe(status)
      // The owner's cookie changes nothing.
      expect((await ana.fetch(own)).status).toBe(status)
    }
    expect(await statusNow()).toBe(200)
    await shareAs(id, { password: 'open sesame' })
    await expectNone(404)
    await shareAs(id, { password: null, expiresAt: new Date(0).toISOString() })
    await expectNone(410)
    await shareAs(id, { expiresAt: null })
    await ana.sessions.update({ params: { id }, body: { nsfw: true } })
    await expectNone(404)
    await ana.sessions.update({ params: { id }, body: { nsfw: false, captionTheme: 'joi' } })
    await expectNone(404)
    await ana.sessions.update({ params: { id }, body: { captionTheme: null } })
    expect(await statusNow()).toBe(200)
    await world.visitor().moderation.report({
      body: { targetType: 'shared_session', shareCode: code, reason: 'minor', details: '' },
    })
    await expectNone(404)
  })

  test('loses the picture that was taken down', async () => {
    const [first, second] = [await picture(red), await picture(green)]
    const { code } = await make([{ mediaId: first }, { mediaId: second }])
    expect(await colourOf(code)).toBe('red')
    const { shareCode } = await ana.vault.share({
      params: { id: String(first) },
      body: { shareToCommunity: false },
    })
    await world.visitor().moderation.report({
      body: { targetType: 'shared_media', shareCode, reason: 'minor', details: '' },
    })
    expect(await colourOf(code)).toBe('green')
  })

  test('exists for no other page, and hostile codes open none', async () => {
    const unknown = '3f1c9a2e-7b54-4d0e-9c0d-1a2b3c4d5e6f'
    for (const path of ['/', '/login', '/community', `/shared/${unknown}`, '/nowhere'])
      await neutral(path)
    const codes = [unknown, 'x', '%00', '..%2f..', `${unknown}'--`, unknown.replaceAll('-', '')]
    for (const code of codes)
      expect((await world.visitor().fetch(`/shared/${code}/card.jpg`)).status, code).toBe(404)
    const answer = await world.visitor().fetch('/card.jpg')
    const { format, width, height } = await sharp(await answer.arrayBuffer()).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 })
  })
})

describe('the work for a card', () => {
  testOnServer('is done once for many requests on two nodes', async () => {
    const { code } = await make([{ mediaUrl: `${site.origin}/photo/1` }])
    const other = await createWorld(
      { ...settings, FETCH_ALLOW: site.host },
      { feed: createFakeFeed(), database: await openDatabase(), storage: world.ctx.storage },
    )
    site.asked.length = 0
    const visitors = [world, other].flatMap((node) =>
      Array.from({ length: 15 }, () => node.visitor()),
    )
    const answers = await Promise.all(visitors.map((one) => one.fetch(`/shared/${code}/card.jpg`)))
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([200])
    expect(site.asked).toEqual(['/photo/1'])
    expect(await cards()).toHaveLength(1)
    await other.close()
  })
})
