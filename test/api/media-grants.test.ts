/** Other people get a file at an address that ends with the access grant behind it (contract 1.4). */
import { describe, expect, test } from 'vitest'
import type { ModerationWorld } from '../support/moderation-world.ts'
import { aPicture, createModerationWorld } from '../support/moderation-world.ts'
import { useWorld } from '../support/use-world.ts'
import { putMedia } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: ModerationWorld
let ana: Person
let bo: Person
/** A session of two of Ana's own pictures. */
let id: string
let owners: string[]

useWorld(createModerationWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.as('bo')]
  const slides = []
  for (const seed of [1, 2])
    slides.push({ mediaId: Number(await putMedia(ana, await aPicture(seed))) })
  await world.runJobs()
  const { session } = await ana.sessions.createManual({ body: { title: 'Mine', slides } })
  id = String(session.id)
  owners = addressesIn(await ana.sessions.read({ params: { id } }))
})

type Shown = {
  session: { thumbnail: string | null }
  media: readonly { mediaUrl: string | null; thumbnail: string | null }[]
}

function addressesIn({ session, media }: Shown): string[] {
  const all = [session.thumbnail, ...media.flatMap((slide) => [slide.mediaUrl, slide.thumbnail])]
  return [...new Set(all.filter((address) => address !== null))]
}

const share = async (body: object = {}) =>
  (await ana.sharing.shareSession({ params: { id }, body })).shareCode

const byLink = async (code: string, headers = {}) =>
  addressesIn(await bo.sharing.open({ params: { code }, headers }))

const asPublic = async () => addressesIn(await bo.sessions.read({ params: { id } }))

/** Returns the statuses of all addresses, requested in every way that browsers do. */
async function statusesOf(addresses: readonly string[]): Promise<number[]> {
  const statuses = new Set<number>()
  for (const person of [world.visitor(), bo])
    for (const address of addresses)
      for (const init of [
        {},
        { method: 'HEAD' },
        { headers: { range: 'bytes=0-9' } },
        { headers: { 'if-none-match': '*' } },
      ])
        statuses.add((await person.fetch(address, init)).status)
  return [...statuses].toSorted((a, b) => a - b)
}

const open = [200, 206, 304]

/** Makes a public session of these addresses. */
const keep = async (person: Person, ...addresses: string[]) => {
  const slides = addresses.map((mediaUrl) => ({ mediaUrl }))
  const body = { title: 'Kept', slides, isPublic: true }
  return { id: String((await person.sessions.createManual({ body })).session.id) }
}

async function expectEnded(addresses: readonly string[]): Promise<void> {
  expect(addresses.length).toBeGreaterThan(0)
  expect(await statusesOf(addresses)).toEqual([404])
}

describe('an address that another viewer got', () => {
  test('works for everyone, is stable, and is not the owner’s', async () => {
    const code = await share()
    const given = await byLink(code)
    expect(given).toHaveLength(owners.length)
    expect(await byLink(code)).toEqual(given)
    expect(await statusesOf(given)).toEqual(open)
    for (const address of given) {
      expect(owners).not.toContain(address)
      expect(address).not.toContain(code)
      const response = await world.visitor().fetch(address)
      const [, maxAge] =
        /^private, max-age=(\d+)$/.exec(response.headers.get('cache-control') ?? '') ?? []
      expect(Number(maxAge)).toBeLessThanOrEqual(60)
    }
  })

  test('leads to no other file, to no other grant, and not to the owner’s address', async () => {
    await share()
    for (const address of await asPublic()) {
      const { pathname, searchParams } = new URL(address, world.url)
      const [grant, signature] = [searchParams.get('g') ?? '', searchParams.get('s') ?? '']
      const otherOwner = owners.find((one) => !one.startsWith(pathname)) ?? ''
      const forged = [
        `${pathname}?s=${signature}`,
        `${pathname}?g=${grant}&g=${grant}&s=${signature}`,
        `${pathname}?g=${grant}0&s=${signature}`,
        `${pathname}?g=${grant.replace('public', 'share')}&s=${signature}`,
        `${pathname}?g=constructor.1&s=${signature}`,
        `${otherOwner.split('?')[0]}?g=${grant}&s=${signature}`,
      ]
      for (const wrong of forged) expect(await world.statusOf(wrong), wrong).toBe(404)
    }
  })

  test('the owner’s addresses stay valid through every change of access', async () => {
    await share()
    await share({ password: 'open sesame' })
    await ana.sessions.update({ params: { id }, body: { isPublic: false } })
    expect(addressesIn(await ana.sessions.read({ params: { id } }))).toEqual(owners)
    expect(await statusesOf(owners)).toEqual(open)
    const response = await world.visitor().fetch(owners[0]!)
    expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
  })

  test('a file that is not shown by its owner’s address is given to nobody', async () => {
    const carl = await world.as('carl')
    const [path = ''] = owners[0]!.split('?')
    const params = await keep(carl, `${path}?s=${'A'.repeat(24)}`, path)
    const read = await bo.sessions.read({ params })
    for (const address of addressesIn(read)) expect(await world.statusOf(address)).toBe(404)
  })
})

describe('addresses from a link end', () => {
  test('when the link expires', async () => {
    const expiresAt = new Date(world.clock.now().getTime() + 60_000).toISOString()
    const code = await share({ expiresAt })
    const preview = addressesIn(await world.visitor().sharing.preview({ params: { code } }))
    const given = [...(await byLink(code)), ...preview]
    expect(await statusesOf(given)).toEqual(open)
    world.clock.advance(61_000)
    await expectEnded(given)
    expect(await statusesOf(owners)).toEqual(open)
  })

  test('with a password that earlier viewers may not know', async () => {
    const code = await share()
    const before = await byLink(code)
    await share({ password: 'open sesame' })
    await expectEnded(before)
    const headers = { 'x-share-password': 'open sesame' }
    const after = await byLink(code, headers)
    expect(await statusesOf(after)).toEqual(open)
    await share()
    expect(await byLink(code, headers)).toEqual(after)
    await share({ password: null })
    expect(await statusesOf(after)).toEqual(open)
  })

  test('with the slide that showed the file', async () => {
    const code = await share()
    const given = await bo.sharing.open({ params: { code } })
    const [first, second] = given.media
    const slides = [{ id: second!.id }]
    await ana.sessions.replaceMedia({ params: { id }, body: { slides } })
    await expectEnded([first!.mediaUrl ?? '', first!.thumbnail!])
    expect(await statusesOf([second!.mediaUrl ?? '', second!.thumbnail!])).toEqual(open)
  })

  test('with the session, and with the account', async () => {
    const code = await share()
    const given = await byLink(code)
    const file = await putMedia(ana, await aPicture(3))
    await world.runJobs()
    const { shareCode } = await ana.vault.share({
      params: { id: file },
      body: { shareToCommunity: false },
    })
    const { url } = await bo.vault.openShared({ params: { code: shareCode } })
    await ana.sessions.remove({ params: { id } })
    await expectEnded(given)
    expect(await statusesOf([url])).toEqual(open)
    await ana.accounts.deleteAccount({ body: { confirm: 'ana@example.test' } })
    await expectEnded([url])
  })

  test('while the session is hidden', async () => {
    const shareCode = await share()
    const given = [...(await byLink(shareCode)), ...(await asPublic())]
    const reportId = await world.report({ targetType: 'shared_session', shareCode })
    await expectEnded(given)
    for (const person of [ana, await world.moderator()])
      expect(await world.statusOf(given[0], person)).toBe(404)
    await world.resolve(reportId, 'dismiss')
    expect(await statusesOf(given)).toEqual(open)
  })

  test('of one file: with the link, for good', async () => {
    const mediaId = await putMedia(ana, await aPicture(4))
    await world.runJobs()
    const params = { id: mediaId }
    const shareFile = async () => {
      const { shareCode } = await ana.vault.share({ params, body: { shareToCommunity: false } })
      return (await world.visitor().vault.openShared({ params: { code: shareCode } })).url
    }
    const first = await shareFile()
    expect(await shareFile()).toBe(first)
    expect(await statusesOf([first])).toEqual(open)
    await ana.vault.unshare({ params })
    await expectEnded([first])
    const second = await shareFile()
    expect(await statusesOf([second])).toEqual(open)
    await expectEnded([first])
    const { files } = await ana.vault.list()
    const own = files.find((file) => String(file.id) === mediaId)!
    expect(await statusesOf([own.url])).toEqual(open)
  })
})

describe('addresses of a public session', () => {
  test('end when it is no longer public, and a link’s stay valid', async () => {
    const code = await share()
    const [linked, read] = [await byLink(code), await asPublic()]
    const headers = { 'x-share-code': code }
    const withCode = addressesIn(await bo.sessions.read({ params: { id }, headers }))
    expect(withCode).toEqual(linked)
    expect(await statusesOf([...linked, ...read])).toEqual(open)
    await ana.sessions.update({ params: { id }, body: { isPublic: false } })
    await expectEnded(read)
    expect(await statusesOf(linked)).toEqual(open)
  })

  test('are the same in its events', async () => {
    await ana.sessions.update({ params: { id }, body: { isPublic: true } })
    const { session } = await bo.sessions.read({ params: { id } })
    const stop = new AbortController()
    const response = await bo.fetch(`/api/sessions/${id}/events`, { signal: stop.signal })
    const reader = response.body!.getReader()
    const { value } = await reader.read()
    stop.abort()
    const [, data = ''] = /^data: (.*)$/m.exec(Buffer.from(value!).toString()) ?? []
    expect(JSON.parse(data)).toMatchObject({ id: Number(id), thumbnail: session.thumbnail })
    expect(owners).not.toContain(session.thumbnail)
  })

  test('an address on the site’s own host is replaced like the others', async () => {
    const mediaUrl = `http://lanternist.test${owners.find((one) => one.includes('/derived/'))!}`
    const read = await bo.sessions.read({ params: await keep(ana, mediaUrl) })
    for (const address of addressesIn(read)) expect(address).toMatch(/^\/media\/.*\?g=public\./)
    expect(await statusesOf(addressesIn(read))).toEqual(open)
  })
})

test('a file of the community is gone after a withdrawal, and not cached until then', async () => {
  const communityId = await world.publish(ana, id, { nsfw: false })
  const item = { params: { id: communityId } }
  const { items } = await bo.community.browse()
  const listed = items.flatMap(({ thumbnail }) => thumbnail ?? [])
  const given = [...listed, ...addressesIn(await bo.community.open(item))]
  expect(await statusesOf(given)).toEqual(open)
  for (const address of given) {
    const { headers } = await world.visitor().fetch(address)
    expect(headers.get('cache-control')).toBe('private, max-age=60')
  }
  await ana.sessions.update({ params: { id }, body: { shareToCommunity: false } })
  await expectEnded(given)
})

describe('a session with another account’s files', () => {
  test('shows and uses them only while its grant is valid', async () => {
    const code = await share()
    const given = (await bo.sharing.open({ params: { code } })).media[0]!.mediaUrl ?? ''
    await world.grant('bo', 500)
    const params = await keep(bo, given)
    const carl = await world.as('carl')
    const read = await carl.sessions.read({ params })
    expect(read.media[0]!.mediaUrl).toBe(given)
    const regions = [{ x: 0, y: 0, width: 1, height: 0.5 }]
    const body = { imageUrl: given, regions, mode: 'bar' as const, strength: 5 }
    const censor = () => bo.images.censor({ body })
    expect((await censor()).success).toBe(true)
    await share({ expiresAt: new Date(world.clock.now().getTime() + 1000).toISOString() })
    world.clock.advance(2000)
    await expectEnded([given])
    expect((await refused(censor())).status).toBe(400)
  })

  test('is found by a report, and the moderator sees the file', async () => {
    const [given = ''] = await byLink(await share())
    const params = await keep(bo, given)
    const { shareCode } = await bo.sharing.shareSession({ params, body: {} })
    await world.report({ targetType: 'shared_session', shareCode })
    await expectEnded([given])
    const moderator = await world.moderator()
    const { items } = await moderator.moderation.listReports({ query: { status: 'open' } })
    const { urls } = items[0]!.evidence
    expect(urls).toHaveLength(1)
    expect(await world.statusOf(urls[0], moderator)).toBe(200)
    expect(await world.statusOf(urls[0])).toBe(404)
  })
})
