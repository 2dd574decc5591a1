/** Frames: links that a screen on a wall keeps (contract-additions, section 18). */
import { describe, expect, test } from 'vitest'
import { emailOf } from '../support/admin-world.ts'
import { pictures } from '../support/fake-feed.ts'
import type { ModerationWorld } from '../support/moderation-world.ts'
import { aPicture, createModerationWorld } from '../support/moderation-world.ts'
import { useWorld } from '../support/use-world.ts'
import { putMedia } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: ModerationWorld
let ana: Person
let bo: Person

useWorld(createModerationWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.adult('bo')]
})

type NewFrame = Parameters<Person['frames']['create']>[0]['body']

/** Makes a session of the person's own pictures. The frame has to grant access to each. */
async function ownPictures(person: Person, seeds: readonly number[], title = 'Mine') {
  const slides = []
  for (const seed of seeds)
    slides.push({ mediaId: Number(await putMedia(person, await aPicture(seed))) })
  await world.runJobs()
  return (await person.sessions.createManual({ body: { title, slides } })).session.id
}

async function hang(person: Person, sessionIds: number[], change: Partial<NewFrame> = {}) {
  const { frame, frameUrl } = await person.frames.create({
    body: { name: 'Hall', sessionIds, ...change },
  })
  return { ...frame, params: { id: String(frame.id) }, token: frameUrl.slice(-43), frameUrl }
}

const playlist = (token: string) => world.visitor().frames.playlist({ params: { token } })
const ended = async (token: string) => (await refused(playlist(token))).status
const addresses = async (token: string) =>
  (await playlist(token)).media.flatMap(({ mediaUrl, thumbnail }) => [
    mediaUrl ?? '',
    thumbnail ?? mediaUrl ?? '',
  ])

describe('a frame', () => {
  test('is created with a link that is shown once, and listed without it', async () => {
    const id = await ownPictures(ana, [1])
    const { frameUrl, token, ...frame } = await hang(ana, [id])
    expect(frameUrl).toBe(`http://lanternist.test/frame/${token}`)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(frame).toMatchObject({
      name: 'Hall',
      sessionIds: [id],
      nsfw: false,
      settings: {
        intervalSeconds: 20,
        transition: 'fade',
        captions: true,
        clock: true,
        quietFrom: null,
        quietTo: null,
        timeZone: 'UTC',
        shuffle: false,
      },
    })
    const listed = await ana.frames.list()
    expect(listed).toHaveLength(1)
    expect(JSON.stringify(listed)).not.toContain(token)
    expect(await bo.frames.list()).toEqual([])
    const rows = await world.ctx.db.selectFrom('frames').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('is changed field by field', async () => {
    const [one, two] = [await ownPictures(ana, [1]), await ownPictures(ana, [2])]
    const { params, token } = await hang(ana, [one])
    const changed = await ana.frames.update({
      params,
      body: { sessionIds: [two, one, two], settings: { quietFrom: '22:30', quietTo: '07:00' } },
    })
    expect(changed).toMatchObject({
      name: 'Hall',
      sessionIds: [two, one],
      settings: { intervalSeconds: 20, quietFrom: '22:30', quietTo: '07:00' },
    })
    const { settings, media } = await playlist(token)
    expect(settings.quietFrom).toBe('22:30')
    expect(media.map(({ sessionId }) => sessionId)).toEqual([two, one])
    await ana.frames.update({ params, body: { name: ' Kitchen ' } })
    expect((await playlist(token)).name).toBe('Kitchen')
  })

  test('is refused with invalid fields', async () => {
    const id = await ownPictures(ana, [1])
    const sessionIds = [id]
    const settings = [
      { intervalSeconds: 2 },
      { intervalSeconds: 3601 },
      { timeZone: 'Nowhere/Town' },
      { timeZone: '+02:00' },
      { quietFrom: '24:00' },
      { transition: 'spin' },
    ]
    const bodies = [
      { name: '', sessionIds },
      { name: 'a'.repeat(61), sessionIds },
      { name: 'Hall', sessionIds: [] },
      { name: 'Hall', sessionIds: Array.from({ length: 21 }, (_, index) => index + 1) },
      ...settings.map((one) => ({ name: 'Hall', sessionIds, settings: one })),
    ]
    for (const body of bodies) {
      const { status } = await refused(ana.frames.create({ body: body as NewFrame }))
      expect(status, JSON.stringify(body)).toBe(400)
    }
    expect(await ana.frames.list()).toEqual([])
  })

  test('plays only the caller’s own sessions', async () => {
    const [mine, theirs] = [await ownPictures(ana, [1]), await ownPictures(bo, [2])]
    const attempt = (sessionIds: number[]) => refused(hang(ana, sessionIds))
    expect((await attempt([mine, theirs])).status).toBe(403)
    expect((await attempt([mine, 999_999])).status).toBe(404)
    const { params, token } = await hang(ana, [mine])
    const change = (sessionIds: number[]) =>
      refused(ana.frames.update({ params, body: { sessionIds } }))
    expect((await change([theirs])).status).toBe(403)
    expect((await change([999_999])).status).toBe(404)
    expect((await playlist(token)).media).toHaveLength(1)
  })

  test('shows nothing from the trash, nor its addresses, and has it back after a restore', async () => {
    const [one, two] = [await ownPictures(ana, [1]), await ownPictures(ana, [2])]
    const { token } = await hang(ana, [two, one])
    const given = await addresses(token)
    const items = [{ kind: 'session' as const, id: one }]
    await ana.trash.put({ body: { items } })
    expect((await playlist(token)).media.map(({ sessionId }) => sessionId)).toEqual([two])
    expect(await ana.frames.list()).toMatchObject([{ sessionIds: [two] }])
    await ana.sessions.remove({ params: { id: String(two) }, query: { trash: 'true' } })
    expect(await ended(token)).toBe(404)
    expect(await world.statusesOf(given)).toEqual([404])
    expect((await refused(hang(ana, [one]))).status).toBe(404)
    await ana.trash.restore({ body: { items: [...items, { kind: 'session', id: two }] } })
    expect(await addresses(token)).toEqual(given)
    expect(await world.statusesOf(given)).toEqual([200])
  })

  test('gets a session back from the trash at its position, even if its list was changed', async () => {
    const [one, two, three] = [
      await ownPictures(ana, [1]),
      await ownPictures(ana, [2]),
      await ownPictures(ana, [3]),
    ]
    const { token, params } = await hang(ana, [one, two])
    const items = [{ kind: 'session' as const, id: two }]
    await ana.trash.put({ body: { items } })
    await ana.frames.update({ params, body: { sessionIds: [three, one] } })
    expect((await playlist(token)).media.map(({ sessionId }) => sessionId)).toEqual([three, one])
    await ana.trash.restore({ body: { items } })
    expect(await ana.frames.list()).toMatchObject([{ sessionIds: [three, two, one] }])
    const { media } = await playlist(token)
    expect(media.map(({ sessionId }) => sessionId)).toEqual([three, two, one])
    // The restored session can be removed from the frame.
    await ana.frames.update({ params, body: { sessionIds: [one] } })
    expect(await ana.frames.list()).toMatchObject([{ sessionIds: [one] }])
  })

  test('has at most twenty sessions, including those in the trash', async () => {
    const title = 'One of many'
    const slides = [{ mediaUrl: 'https://example.org/1.jpg' }]
    const ids: number[] = []
    for (let made = 0; made < 21; made += 1)
      ids.push((await ana.sessions.createManual({ body: { title, slides } })).session.id)
    const [first = 0, ...others] = ids
    const { params } = await hang(ana, [first])
    const items = [{ kind: 'session' as const, id: first }]
    await ana.trash.put({ body: { items } })
    await ana.frames.update({ params, body: { sessionIds: others } })
    await ana.trash.restore({ body: { items } })
    expect(await ana.frames.list()).toMatchObject([{ sessionIds: others }])
  })

  test('is private: no other account can read, change, renew or delete it', async () => {
    const { params, token } = await hang(ana, [await ownPictures(ana, [1])])
    const attempts = [
      () => bo.frames.update({ params, body: { name: 'Taken' } }),
      () => bo.frames.renew({ params }),
      () => bo.frames.remove({ params }),
    ]
    for (const attempt of attempts)
      expect(await refused(attempt())).toMatchObject({
        status: 404,
        body: { message: 'Frame not found' },
      })
    expect((await playlist(token)).name).toBe('Hall')
  })

  test('is one of at most a hundred', async () => {
    const id = await ownPictures(ana, [1])
    for (let made = 0; made < 100; made += 1) await hang(ana, [id])
    expect((await refused(hang(ana, [id]))).status).toBe(400)
    await hang(bo, [await ownPictures(bo, [2])])
  })
})

describe('a playlist', () => {
  test('lists the sessions in turn, with the frame’s own addresses', async () => {
    const [one, two] = [await ownPictures(ana, [1, 2]), await ownPictures(ana, [3])]
    const { token } = await hang(ana, [two, one])
    const { media } = await playlist(token)
    expect(media.map(({ sessionId, order }) => [sessionId, order])).toEqual([
      [two, 0],
      [one, 0],
      [one, 1],
    ])
    expect(media[0]?.sizes).toMatchObject({ 320: expect.stringContaining('?g=frame.') as unknown })
    const given = [...(await addresses(token)), media[0]?.sizes?.['320'] ?? '']
    for (const address of given) expect(address).toMatch(/\?g=frame\.\d+&s=/)
    expect(await world.statusesOf(given)).toEqual([200])
    const response = await world.visitor().fetch(given[0] ?? '')
    expect(response.headers.get('cache-control')).toMatch(/^private, max-age=([1-5]?\d|60)$/)
  })

  test('gives each session a fair share of its 500 slides', async () => {
    const slides = (host: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        mediaUrl: `https://${host}.test/${index}.jpg`,
      }))
    const make = async (host: string, count: number) =>
      (await ana.sessions.createManual({ body: { title: host, slides: slides(host, count) } }))
        .session.id
    const ids = [await make('long', 450), await make('longer', 490), await make('short', 20)]
    const { token } = await hang(ana, ids)
    const { media } = await playlist(token)
    const parts = ids.map((id) => media.filter(({ sessionId }) => sessionId === id).length)
    expect(parts).toEqual([240, 240, 20])
    expect(media.map(({ sessionId }) => sessionId)).toEqual(
      media.map(({ sessionId }) => sessionId).toSorted((a, b) => Number(a) - Number(b)),
    )
  })

  test('is not sent again while it is unchanged', async () => {
    const id = await ownPictures(ana, [1])
    const { token, params } = await hang(ana, [id])
    const ask = (etag?: string) =>
      world
        .visitor()
        .fetch(`/api/frames/${token}/playlist`, etag ? { headers: { 'if-none-match': etag } } : {})
    const known = async () => {
      const first = await ask()
      const etag = first.headers.get('etag') ?? ''
      const { version } = (await first.json()) as { version: string }
      expect(etag).toBe(`"${version}"`)
      expect(first.headers.get('cache-control')).toBe('private, no-cache')
      for (const header of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await ask(header)
        expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([
          304,
          etag,
          '',
        ])
      }
      return etag
    }
    const slide = async () => {
      const { media } = await ana.sessions.read({ params: { id: String(id) } })
      return { id: String(id), mediaId: String(media[0]?.id) }
    }
    const changes = [
      async () => ana.sessions.updateMedia({ params: await slide(), body: { caption: 'The bay' } }),
      () => ana.frames.update({ params, body: { settings: { clock: false } } }),
      () => ana.frames.update({ params, body: { name: 'Kitchen' } }),
      () =>
        world.ctx.db.updateTable('media_renditions').set({ focus: '{"x":0.1,"y":0.2}' }).execute(),
    ]
    for (const change of changes) {
      const before = await known()
      await change()
      const after = await ask(before)
      expect(after.status).toBe(200)
      expect(after.headers.get('etag')).not.toBe(before)
    }
  })

  test('shows adult slides only if its owner is verified and allows them', async () => {
    world.feed.put('city', [
      ...pictures('adult', 2, { subfeed: 'city', nsfw: true }),
      ...pictures('city', 3),
    ])
    const id = Number(await world.makeFilled(ana))
    const { token, params } = await hang(ana, [id])
    const shown = async () => (await playlist(token)).media.length
    expect(await shown()).toBe(3)
    await ana.frames.update({ params, body: { nsfw: true } })
    expect(await shown()).toBe(5)
    await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: false } })
    expect(await shown()).toBe(3)
    await ana.frames.update({ params, body: { nsfw: false } })
    // When the owner marks the session as adult, all its slides count as adult.
    await ana.sessions.update({ params: { id: String(id) }, body: { nsfw: true } })
    expect(await shown()).toBe(0)
    await ana.sessions.update({
      params: { id: String(id) },
      body: { nsfw: false, captionTheme: 'beta' },
    })
    expect(await shown()).toBe(0)
  })

  test('contains no file of a slide that it does not show', async () => {
    const id = await ownPictures(ana, [1])
    const { token, params } = await hang(ana, [id])
    const given = await addresses(token)
    expect(await world.statusesOf(given)).toEqual([200])
    await ana.sessions.update({ params: { id: String(id) }, body: { nsfw: true } })
    expect(await world.statusesOf(given)).toEqual([404])
    await ana.frames.update({ params, body: { nsfw: true } })
    expect(await world.statusesOf(given)).toEqual([200])
  })

  test('needs the whole token', async () => {
    const { token } = await hang(ana, [await ownPictures(ana, [1])])
    for (const wrong of [token.slice(1), `${token}A`, 'A'.repeat(43), token.toLowerCase(), '%00'])
      expect((await world.visitor().fetch(`/api/frames/${wrong}/playlist`)).status, wrong).toBe(404)
  })
})

describe('a frame and its addresses end', () => {
  const cases: Readonly<
    Record<string, (frame: { params: { id: string }; sessionId: number }) => Promise<unknown>>
  > = {
    'when its owner ends it': ({ params }) => ana.frames.remove({ params }),
    'with its link, when it gets another': ({ params }) => ana.frames.renew({ params }),
    'with its last session': ({ sessionId }) =>
      ana.sessions.remove({ params: { id: String(sessionId) } }),
    'with the account': () => ana.accounts.deleteAccount({ body: { confirm: emailOf('ana') } }),
    'while the account is disabled': () =>
      world.ctx.db
        .updateTable('users')
        .set({ is_active: false })
        .where('email', '=', emailOf('ana'))
        .execute(),
  }

  test.each(Object.entries(cases))('%s', async (_, end) => {
    const sessionId = await ownPictures(ana, [1])
    const { params, token } = await hang(ana, [sessionId])
    const given = await addresses(token)
    const other = await hang(bo, [await ownPictures(bo, [2])])
    await end({ params, sessionId })
    expect(await refused(playlist(token))).toMatchObject({
      status: 404,
      body: { message: 'Frame not found' },
    })
    expect(await world.statusesOf(given)).toEqual([404])
    expect((await playlist(other.token)).media).toHaveLength(1)
  })

  test('a new link keeps the settings', async () => {
    const { params, token } = await hang(ana, [await ownPictures(ana, [1])])
    const { frame, frameUrl } = await ana.frames.renew({ params })
    expect(frameUrl).not.toContain(token)
    expect(frame.name).toBe('Hall')
    const given = await addresses(frameUrl.slice(-43))
    expect(await world.statusesOf(given)).toEqual([200])
  })

  test('a takedown of a file removes its slide, and the last one the frame', async () => {
    const { mediaIds, sessionId } = await world.publishPictures(ana, [1, 2])
    const { token } = await hang(ana, [Number(sessionId)])
    const given = await addresses(token)
    for (const mediaId of mediaIds) {
      const { shareCode } = await ana.vault.share({
        params: { id: mediaId },
        body: { shareToCommunity: false },
      })
      const before = await playlist(token)
      await world.report({ targetType: 'shared_media', shareCode })
      if (before.media.length > 1)
        expect((await playlist(token)).media).toHaveLength(before.media.length - 1)
    }
    expect(await ended(token)).toBe(404)
    expect(await world.statusesOf(given)).toEqual([404])
  })

  test('a takedown of a session removes its slides, and the last one the frame', async () => {
    const [one, two] = [await ownPictures(ana, [1]), await ownPictures(ana, [2])]
    const { token } = await hang(ana, [one, two])
    for (const [id, left] of [
      [one, 1],
      [two, null],
    ] as const) {
      const { shareCode } = await ana.sharing.shareSession({ params: { id: String(id) }, body: {} })
      await world.report({ targetType: 'shared_session', shareCode })
      if (left !== null) expect((await playlist(token)).media).toHaveLength(left)
    }
    expect(await ended(token)).toBe(404)
  })
})
