/** Shared links without script: previews in the HTML, and oEmbed and frames on other sites. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { createFakeFeed } from '../support/fake-feed.ts'
import { allWidths, showWide, slidesOf } from '../support/rendition-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

const hostileTitle = `Evening "><script>alert(1)</script><img src=x onerror='alert(2)'> & more`

let world: World
let ana: Person
let bo: Person
let id: string
let code: string

beforeAll(async () => {
  await buildWebIfStale()
  const webFolder = fileURLToPath(new URL('../../dist/web', import.meta.url))
  world = await createWorld({}, { webFolder, feed: createFakeFeed() })
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
})
afterAll(() => world.close())

beforeEach(async () => {
  const { sessionId } = await showWide(world, ana, 1)
  id = sessionId
  await ana.sessions.update({ params: { id }, body: { title: hostileTitle } })
  await world.runJobs()
  code = await share({ access: 'anyone' })
})

async function share(body: object): Promise<string> {
  return (await ana.sharing.shareSession({ params: { id }, body })).shareCode
}

const open = (path: string, person: Person = world.visitor({ accept: 'text/html' })) =>
  person.fetch(path)
const textOf = async (path: string) => (await open(path)).text()
const addressOf = (path: string) => `${world.ctx.config.baseUrl}${path}`
const ask = (query: Record<string, string>, person: Person = world.visitor()) =>
  person.sharing.oembed({ query: { url: addressOf(`/shared/${code}`), ...query } })

/** Requests all previews of the link. */
async function seen() {
  const answer = await ask({}).then(
    () => 200,
    (error: { status: number }) => error.status,
  )
  const pages = [`/shared/${code}`, `/shared/${code}/play`, `/embed/${code}`]
  const html = await Promise.all(pages.map(textOf))
  return {
    answer,
    hasFrame: html.map((page) => page.includes('data-first-frame')),
    namesMedia: html.map((page) => page.includes('/media/user-media/')),
  }
}

const everything = {
  answer: 200,
  hasFrame: [true, true, true],
  namesMedia: [true, true, true],
}
const noFrame = { hasFrame: [false, false, false] }
const nothing = { ...noFrame, namesMedia: [false, false, false] }

describe('oEmbed', () => {
  test('describes the frame, its title and a picture, for everyone', async () => {
    const told = await ask({})
    expect(told).toMatchObject({
      type: 'rich',
      version: '1.0',
      title: hostileTitle,
      author_name: 'ana',
      provider_name: 'Lanternist',
      provider_url: world.ctx.config.baseUrl,
      width: 800,
      height: 450,
      thumbnail_width: 1280,
      thumbnail_height: 853,
    })
    expect(told.cache_age).toBeGreaterThan(0)
    expect(told.html).toContain(`<iframe src="${addressOf(`/embed/${code}`)}"`)
    expect(told.html).not.toMatch(/<script|<img|onerror='/)
    const picture = await world.visitor().fetch(new URL(told.thumbnail_url ?? '').pathname)
    expect(picture.status).toBe(404)
    const { pathname, search } = new URL(told.thumbnail_url ?? '')
    expect((await world.visitor().fetch(pathname + search)).status).toBe(200)
    for (const person of [ana, bo]) expect(await ask({}, person)).toEqual(told)
  })

  test('fits into the requested size', async () => {
    for (const [maxwidth, maxheight] of [
      ['400', '1000'],
      ['2000', '180'],
      ['1', '1'],
      ['99999', '99999'],
    ] as const) {
      const told = await ask({ maxwidth, maxheight })
      expect(told.width).toBeLessThanOrEqual(Number(maxwidth))
      expect(told.height).toBeLessThanOrEqual(Number(maxheight))
      expect(told.html).toContain(`width="${told.width}" height="${told.height}"`)
      expect(told.thumbnail_width ?? 0).toBeLessThanOrEqual(Number(maxwidth))
      expect(told.thumbnail_height ?? 0).toBeLessThanOrEqual(Number(maxheight))
    }
    for (const maxwidth of ['0', '-1', '1.5', 'wide', '1e9', ' 5'])
      expect((await refused(ask({ maxwidth }))).status, maxwidth).toBe(400)
  })

  test('only accepts addresses of this site', async () => {
    const { host } = new URL(world.ctx.config.baseUrl)
    const known = [`/shared/${code}`, `/shared/${code}?r=ABCD1234#top`, `/shared/${code}/play`]
    for (const path of [...known, `/embed/${code}`, `/shared/${code.toUpperCase()}`])
      expect((await ask({ url: addressOf(path) })).title, path).toBe(hostileTitle)
    for (const url of [
      `https://elsewhere.example/shared/${code}`,
      `http://${host}.elsewhere.example/shared/${code}`,
      `http://${host}@elsewhere.example/shared/${code}`,
      `http://somebody:secret@${host}/shared/${code}`,
      `ftp://${host}/shared/${code}`,
      `javascript:alert('/shared/${code}')`,
      `data:text/html,/shared/${code}`,
      `//${host}/shared/${code}`,
      `/shared/${code}`,
      code,
      addressOf(`/shared/${code}/`),
      addressOf(`/shared/${code}/play/more`),
      addressOf(`/shared/media/${code}`),
      addressOf(`/api/shared/${code}`),
      addressOf(`/shared/%00${code}`),
      addressOf('/shared/3f1c9a2e-7b54-4d0e-9c0d-1a2b3c4d5e6f'),
      addressOf(`/shared/${code.replaceAll('-', '‐')}`),
      `http://ⓛocalhost.example/shared/${code}`,
      'http://[::1',
      '\u202Emoc.elpmaxe//:ptth',
    ])
      expect((await refused(ask({ url }))).status, url).toBe(404)
    for (const url of ['', addressOf(`/shared/${code}?${'x'.repeat(3000)}`)])
      expect((await refused(ask({ url }))).status).toBe(400)
    const twice = `url=${encodeURIComponent(addressOf(`/shared/${code}`))}`
    expect((await open(`/api/oembed?${twice}&${twice}`)).status).toBe(400)
  })

  test('only offers one format', async () => {
    await ask({ format: 'json' })
    for (const format of ['xml', 'XML', 'html'])
      expect(await refused(ask({ format }))).toMatchObject({ status: 501 })
  })

  test('describes no link that needs a password or an account, and no adult one', async () => {
    await share({ access: 'members' })
    expect(await refused(ask({}))).toMatchObject({
      status: 401,
      body: { message: 'This share needs an account or a password' },
    })
    await share({ access: 'anyone', password: 'open sesame' })
    for (const person of [ana, bo, world.visitor()])
      expect((await refused(ask({}, person))).status).toBe(401)
    await share({ password: null })
    await ana.sessions.update({ params: { id }, body: { nsfw: true } })
    expect((await refused(ask({}))).status).toBe(404)
  })
})

describe('before any script', () => {
  test('the player and the page have the picture in sizes, and the title as plain text', async () => {
    const [slide] = await slidesOf(ana, id)
    expect(Object.keys(slide?.sizes ?? {})).toEqual(allWidths)
    for (const path of [`/shared/${code}`, `/shared/${code}/play`, `/embed/${code}`]) {
      const response = await open(path)
      const html = await response.text()
      const [image = ''] = /<img [^>]*>/.exec(html) ?? []
      for (const width of allWidths)
        expect(image, path).toMatch(
          new RegExp(String.raw`/media/[^ ]*g=share\.\d+&#38;s=[\w-]+ ${width}w`),
        )
      expect(image).toMatch(/width="2400" height="1600"/)
      expect(html).toMatch(/<link rel="preload" as="image" imagesrcset="[^"]*1920w" imagesizes=/)
      expect(html).toContain('&#34;&#62;&#60;script&#62;alert(1)')
      expect(html).not.toMatch(/<script>|<img src=x|<style|style="/)
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    const html = await textOf(`/shared/${code}`)
    expect(html).toContain('type="application/json+oembed"')
    expect(html).toContain(encodeURIComponent(addressOf(`/shared/${code}`)))
    expect(html).toContain(`<a href="/shared/${code}/play"`)
    // If the address asks for another slide, the first one is not included.
    expect(await textOf(`/shared/${code}/play?slide=2`)).not.toContain('data-first-frame')
  })

  test('the first files of a page are named in it', async () => {
    const chunks = { page: 'shared-page', player: 'play-page', embed: 'play-page' }
    const paths = {
      page: `/shared/${code}`,
      player: `/shared/${code}/play`,
      embed: `/embed/${code}`,
    }
    for (const kind of ['page', 'player', 'embed'] as const)
      expect(await textOf(paths[kind])).toMatch(
        new RegExp(`<link rel="modulepreload" href="/assets/${chunks[kind]}-`),
      )
  })

  test('all of it ends with the link, at once', async () => {
    expect(await seen()).toEqual(everything)
    const end = new Date(world.clock.now().getTime() + 60_000)
    await share({ expiresAt: end.toISOString() })
    world.clock.advance(60_000)
    expect(await seen()).toEqual({ answer: 410, ...nothing })
    await share({ expiresAt: end.toISOString() })
    expect(await seen()).toEqual({ answer: 410, ...nothing })
    await share({ expiresAt: null })
    expect(await seen()).toEqual(everything)

    await share({ access: 'members' })
    expect(await seen()).toMatchObject({ answer: 401, ...noFrame })
    await share({ access: 'anyone', password: 'open sesame' })
    expect(await seen()).toEqual({ answer: 401, ...nothing })
    await share({ password: null })
    await ana.sessions.update({ params: { id }, body: { nsfw: true } })
    expect(await seen()).toMatchObject({ answer: 404, ...noFrame })
    await ana.sessions.update({ params: { id }, body: { nsfw: false, captionTheme: 'joi' } })
    expect(await seen()).toMatchObject({ answer: 404, ...noFrame })
    await ana.sessions.update({ params: { id }, body: { captionTheme: null } })
    expect(await seen()).toEqual(everything)

    await ana.sessions.remove({ params: { id } })
    expect(await seen()).toEqual({ answer: 404, ...nothing })
  })

  test('a takedown ends it', async () => {
    expect(await seen()).toEqual(everything)
    const [picture = ''] = /\/media\/user-media\/[^ ]*/.exec(await textOf(`/embed/${code}`)) ?? []
    const address = picture.replaceAll('&#38;', '&')
    expect((await open(address)).status).toBe(200)
    await world.visitor().moderation.report({
      body: {
        targetType: 'shared_session',
        shareCode: code,
        reason: 'non_consensual',
        details: '',
      },
    })
    expect(await seen()).toEqual({ answer: 404, ...nothing })
    expect((await open(address)).status).toBe(404)
  })
})

describe('a frame on another site', () => {
  const framing = (response: Response) => [
    /frame-ancestors [^;]*/.exec(response.headers.get('content-security-policy') ?? '')?.[0],
    response.headers.get('x-frame-options'),
  ]

  test('may frame the player of a link, and nothing else', async () => {
    const embedded = await open(`/embed/${code}`)
    expect(framing(embedded)).toEqual(['frame-ancestors *', null])
    const policy = embedded.headers.get('content-security-policy') ?? ''
    const usual = (await open('/')).headers.get('content-security-policy') ?? ''
    expect(policy).toBe(
      usual
        .replace("frame-ancestors 'none'", 'frame-ancestors *')
        .replace("form-action 'self'", "form-action 'none'"),
    )
    const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(await embedded.text()) ?? []
    for (const path of [
      '/',
      '/login',
      '/library',
      `/shared/${code}`,
      `/shared/${code}/play`,
      '/embed',
      '/embed/',
      '/embed/anything',
      `/embed/${code}/`,
      `/embed/${code}/play`,
      `/embed/${code}%2F..`,
      `//embed/${code}`,
      `/x/embed/${code}`,
      `/embed/${code}.html`,
      `/shared/embed/${code}`,
      '/api/docs',
      '/api/unknown',
      `/api/shared/${code}/preview`,
      '/api/auth/user',
      '/api/login?redirect=/embed/',
      '/media/unknown',
      '/favicon.svg',
      '/healthz',
      script,
    ])
      expect(framing(await open(path)), path).toEqual(["frame-ancestors 'none'", 'DENY'])
    // Generated pictures have a policy of their own.
    const cover = await open('/covers/0123456789abcdef.svg')
    expect(cover.headers.get('x-frame-options')).toBe('DENY')
    const posted = await world.visitor().fetch(`/embed/${code}`, { method: 'POST' })
    expect([posted.status, ...framing(posted)]).toEqual([404, "frame-ancestors 'none'", 'DENY'])
  })

  test('reads and sets no cookie', async () => {
    const asVisitor = await textOf(`/embed/${code}`)
    expect(asVisitor).toMatch(/<html[^>]* data-visitor data-embed/)
    const asOwner = await open(`/embed/${code}?r=ABCD1234`, ana)
    expect(asOwner.headers.getSetCookie()).toEqual([])
    expect(await asOwner.text()).toBe(asVisitor)
  })

  test('shows nothing of a link that needs an account or a password, and runs no script', async () => {
    await share({ access: 'members' })
    const unknown = '3f1c9a2e-7b54-4d0e-9c0d-1a2b3c4d5e6f'
    for (const path of [`/embed/${code}`, `/embed/${unknown}`]) {
      const html = await textOf(path)
      expect(html).toContain('This show cannot be played here.')
      expect(html).toMatch(/<a href="\/shared\/[\w-]+" target="_blank" rel="noopener"/)
      expect(html).not.toMatch(/<script|modulepreload|Evening|og:/)
    }
  })
})
