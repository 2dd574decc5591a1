/**
 * A session is adult as a whole if its owner said so or its theme is adult (contract 4.2). Then it shows
 * nothing to callers whose age is not verified. Each way to reach it has a test. None of its slides is
 * marked.
 */
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { shareHeaders } from '../../src/client/client.ts'
import { listenTo } from '../support/event-listener.ts'
import { eventually } from '../support/eventually.ts'
import { programOf } from '../support/key-world.ts'
import type { ModerationWorld } from '../support/moderation-world.ts'
import { aPicture, createModerationWorld } from '../support/moderation-world.ts'
import { listenToRoom, openRoom } from '../support/room-world.ts'
import { useWorld } from '../support/use-world.ts'
import { putMedia } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: ModerationWorld
/** The owner of the session. She and carl are age-verified. */
let ana: Person
let carl: Person
/** Not age-verified. */
let bo: Person
let id: string
let params: { id: string }

useWorld(
  async () => {
    await buildWebIfStale()
    const webFolder = fileURLToPath(new URL('../../dist/web', import.meta.url))
    return createModerationWorld({ webFolder })
  },
  async (fresh) => {
    world = fresh
    ;[ana, carl, bo] = [await world.adult('ana'), await world.adult('carl'), await world.as('bo')]
    await world.grant('bo', 500)
    id = await showPictures(ana)
    params = { id }
  },
)

/** Makes a session of two pictures from a vault and returns its id as a path parameter. */
async function showPictures(person: Person): Promise<string> {
  const slides = []
  for (const seed of [1, 2])
    slides.push({ mediaId: Number(await putMedia(person, await aPicture(seed))) })
  await world.runJobs()
  const { session } = await person.sessions.createManual({ body: { title: 'Evening', slides } })
  return String(session.id)
}

const adultsOnly = { status: 403, body: { code: 'AGE_VERIFICATION_REQUIRED' } }
const share = async (body: object) => (await ana.sharing.shareSession({ params, body })).shareCode
const textOf = async (path: string) =>
  (await world.visitor({ accept: 'text/html' }).fetch(path)).text()
const captionOf = (person: Person, headers: Record<string, string> = {}) =>
  person.captions.generate({
    body: { media_url: `${world.site.origin}/jpg/a.jpg`, sessionId: Number(id) },
    headers,
  })

describe.each([
  { because: 'its owner said so', mark: { nsfw: true } },
  { because: 'its theme is adult', mark: { captionTheme: 'joi' as const } },
])('a session that is adult because $because', ({ mark }) => {
  beforeEach(async () => {
    const { nsfw } = await ana.sessions.update({ params, body: mark })
    expect(nsfw).toBe(true)
  })

  test('by its link', async () => {
    for (const access of ['members', 'anyone'] as const) {
      const code = await share({ access })
      expect(await refused(bo.sharing.open({ params: { code } }))).toMatchObject(adultsOnly)
      for (const person of [ana, carl])
        expect((await person.sharing.open({ params: { code } })).media).toHaveLength(2)
    }
    const code = await share({ access: 'anyone' })
    const { session, media } = await world.visitor().sharing.open({ params: { code } })
    expect([session.title, session.thumbnail, media]).toEqual(['Evening', null, []])
    const headers = shareHeaders({ code })
    expect((await refused(world.visitor().sessions.play({ params, headers }))).status).toBe(401)
  })

  test('in the preview of its link', async () => {
    for (const access of ['members', 'anyone'] as const) {
      const code = await share({ access })
      for (const person of [world.visitor(), bo]) {
        const preview = await person.sharing.preview({ params: { code } })
        expect(preview).toMatchObject({ media: [], requiresAuth: true })
        expect(preview.session).toMatchObject({ title: 'Evening', thumbnail: null })
      }
      const preview = await carl.sharing.preview({ params: { code } })
      expect(preview.media).toHaveLength(2)
      expect(preview.session.thumbnail).not.toBeNull()
    }
  })

  test('on the card of its link', async () => {
    for (const access of ['members', 'anyone'] as const) {
      const code = await share({ access })
      for (const path of [`/shared/${code}`, `/shared/${code}/play`]) {
        const html = await textOf(path)
        expect(html).toContain('Evening')
        // The card of the site, not one of the link.
        expect(html).toMatch(/og:image" content="[^"?]*\/card\.jpg"/)
        expect(html).not.toMatch(/\/shared\/[\w-]+\/card|\/media\/|data-first-frame/)
      }
    }
  })

  test('in a frame on another site', async () => {
    const html = await textOf(`/embed/${await share({ access: 'anyone' })}`)
    expect(html).not.toMatch(/Evening|og:image|\/media\/|<script/)
  })

  test('by oEmbed', async () => {
    const url = `${world.ctx.config.baseUrl}/shared/${await share({ access: 'anyone' })}`
    const asked = world.visitor().sharing.oembed({ query: { url } })
    expect((await refused(asked)).status).toBe(404)
  })

  test('as a public session', async () => {
    await ana.sessions.update({ params, body: { isPublic: true } })
    const code = await share({ password: 'sesame' })
    await ana.sessions.update({ params, body: { isPublic: true } })
    for (const headers of [{}, shareHeaders({ code, password: 'sesame' })]) {
      for (const call of [
        () => bo.sessions.read({ params, headers }),
        () => bo.sessions.play({ params, headers }),
        () => bo.sessions.events({ params, headers }),
        () => bo.captions.prewarm({ body: { sessionId: Number(id) }, headers }),
        () => captionOf(bo, headers),
      ])
        expect(await refused(Promise.resolve(call()))).toMatchObject(adultsOnly)
      expect((await carl.sessions.read({ params, headers })).media).toHaveLength(2)
      await carl.sessions.play({ params, headers })
    }
  })

  test('in the community', async () => {
    const published = { params: { id: await world.publish(ana, id) } }
    expect((await bo.community.browse()).items).toEqual([])
    expect(await refused(bo.community.open(published))).toMatchObject(adultsOnly)
    expect(await refused(bo.community.save(published))).toMatchObject(adultsOnly)
    expect((await carl.community.open(published)).media).toHaveLength(2)
  })

  test('in a room', async () => {
    await ana.sessions.update({ params, body: { isPublic: true } })
    expect(await refused(openRoom(bo, Number(id)))).toMatchObject(adultsOnly)
    const shareCode = await share({})
    expect(await refused(bo.rooms.open({ body: { shareCode } }))).toMatchObject(adultsOnly)
    const { code } = (await openRoom(ana, Number(id))).room
    for (const person of [bo, world.visitor()]) {
      expect(await refused(person.rooms.read({ params: { code } }))).toMatchObject(adultsOnly)
      expect((await listenToRoom(person, code)).status).toBe(403)
    }
    expect((await carl.rooms.read({ params: { code } })).media).toHaveLength(2)
  })

  test('on a frame without adult content, or of an owner without a verified age', async () => {
    const { frame, frameUrl } = await ana.frames.create({
      body: { name: 'Hall', sessionIds: [Number(id)] },
    })
    const shown = async () => {
      const token = frameUrl.slice(-43)
      return (await world.visitor().frames.playlist({ params: { token } })).media.length
    }
    expect(await shown()).toBe(0)
    await ana.frames.update({ params: { id: String(frame.id) }, body: { nsfw: true } })
    expect(await shown()).toBe(2)
    await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: false } })
    expect(await shown()).toBe(0)
  })

  test('as an export, which only its owner gets', async () => {
    await ana.sessions.update({ params, body: { isPublic: true } })
    const headers = shareHeaders({ code: await share({ access: 'anyone' }) })
    const path = `/api/sessions/${id}/export`
    for (const person of [bo, carl])
      expect((await person.fetch(path, { headers })).status).toBe(403)
    expect((await world.visitor().fetch(path, { headers })).status).toBe(401)
    expect((await ana.fetch(path)).status).toBe(200)
  })

  test('by an API key', async () => {
    await ana.sessions.update({ params, body: { isPublic: true } })
    const published = { params: { id: await world.publish(ana, id) } }
    const shareCode = await share({ access: 'anyone' })
    const scopes = ['sessions:read', 'community:read', 'rooms'] as const
    const [ofBo, ofCarl] = [
      await programOf(world, bo, scopes),
      await programOf(world, carl, scopes),
    ]
    for (const call of [
      (person: Person) => person.sessions.read({ params }),
      (person: Person) => person.sharing.open({ params: { code: shareCode } }),
      (person: Person) => person.community.open(published),
      (person: Person) => person.rooms.open({ body: { shareCode } }),
    ]) {
      expect(await refused(Promise.resolve(call(ofBo)))).toMatchObject(adultsOnly)
      await call(ofCarl)
    }
  })

  test('its owner has it, with or without a verified age', async () => {
    await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: false } })
    const code = await share({ access: 'anyone' })
    expect((await ana.sessions.read({ params })).media).toHaveLength(2)
    expect((await ana.sharing.open({ params: { code } })).media).toHaveLength(2)
    await ana.sessions.play({ params })
  })
})

describe('a session that becomes adult', () => {
  const become = () => ana.sessions.update({ params, body: { nsfw: true } })

  test('revokes the addresses that others got before', async () => {
    const code = await share({ access: 'anyone' })
    const room = (await openRoom(ana, Number(id))).room.code
    const given = await Promise.all([
      world.visitor().sharing.open({ params: { code } }),
      world.visitor().sharing.preview({ params: { code } }),
      bo.sessions.read({ params }),
      world.visitor().rooms.read({ params: { code: room } }),
    ])
    const addresses = given.flatMap(({ media }) => media.flatMap(({ mediaUrl }) => mediaUrl ?? []))
    addresses.push(given[0].session.thumbnail ?? '', given[2].session.thumbnail ?? '')
    expect(await world.statusesOf(addresses)).toEqual([200])
    await become()
    expect(await world.statusesOf(addresses)).toEqual([404])
    const read = await carl.sessions.read({ params })
    const current = read.media.flatMap(({ mediaUrl, thumbnail }) => [mediaUrl, thumbnail])
    for (const address of [...current, read.session.thumbnail])
      expect(await world.statusOf(address, carl)).toBe(200)
  })

  test('ends the event streams of viewers without a verified age', async () => {
    await ana.sessions.update({ params, body: { isPublic: true } })
    const [unverified, verified] = [
      await listenTo(bo, Number(id)),
      await listenTo(carl, Number(id)),
    ]
    onTestFinished(() => verified.hangUp())
    await eventually(() => expect(unverified.heard).toHaveLength(1))
    await become()
    await unverified.ended
    await eventually(() => expect(verified.heard).toHaveLength(1))
  })

  test('is hidden in the community from accounts without a verified age, even if it was published as safe', async () => {
    const published = { params: { id: await world.publish(ana, id, { nsfw: false }) } }
    expect((await bo.community.open(published)).media).toHaveLength(2)
    await become()
    expect((await bo.community.browse()).items).toEqual([])
    expect(await refused(bo.community.open(published))).toMatchObject(adultsOnly)
    expect((await carl.community.open(published)).session.nsfw).toBe(true)
  })

  test('is published as adult if it becomes adult during the copy', async () => {
    const body = { shareToCommunity: true, nsfw: false }
    await ana.sessions.update({ params, body })
    await become()
    await world.runJobs()
    expect((await carl.community.browse()).items).toMatchObject([{ nsfw: true }])
    expect((await bo.community.browse()).items).toEqual([])
  })
})

test('of a session with some adult slides, others see the other slides everywhere', async () => {
  const [first] = (await ana.sessions.read({ params })).media
  await world.ctx.db
    .updateTable('session_media')
    .set({ nsfw: true })
    .where('id', '=', first?.id ?? 0)
    .execute()
  const code = await share({ access: 'anyone' })
  const visitor = world.visitor()
  expect((await visitor.sharing.open({ params: { code } })).media).toHaveLength(1)
  expect((await bo.sharing.open({ params: { code } })).media).toHaveLength(1)
  expect((await bo.sessions.read({ params })).media).toHaveLength(1)
  const preview = await visitor.sharing.preview({ params: { code } })
  expect(preview).toMatchObject({ requiresAuth: false, media: [{ nsfw: false }] })
  expect(await textOf(`/embed/${code}`)).toContain('data-first-frame')
})
