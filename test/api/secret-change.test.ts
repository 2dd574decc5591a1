/**
 * A change of SESSION_SECRET (contract 12). While the old secret is configured, nodes that sign with
 * either secret accept what it signed or sealed. Values in rows can be signed and sealed again, so that
 * the old secret is needed only for a while.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseCommand } from '../../src/server/commands/admin-commands.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { storedAddresses } from '../../src/server/features/files/address-queries.ts'
import { addressOfMediaUrl } from '../../src/server/http/media/media-url.ts'
import { shownCode } from '../support/authenticator-app.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { addPasskey, site, turnOnSecondFactor } from '../support/sign-in-methods.ts'
import { aPicture } from '../support/moderation-world.ts'
import { authorizeAs, comeBack } from '../support/oidc-browser.ts'
import type { OidcServer } from '../support/oidc-server.ts'
import { startOidcServer } from '../support/oidc-server.ts'
import { copyTemplate, engine } from '../support/test-database.ts'
import { putMedia } from '../support/vault-media.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, password } from '../support/world.ts'

const applies = engine === 'postgres'
if (!applies) console.log('skipped: nodes with other secrets: the embedded database has only one')

const old = 'the secret that everything was signed with'
const fresh = 'the secret that comes in its place'

let provider: OidcServer
let dataDir: string
const nodes: World[] = []
/** The nodes in the order in which an operator starts them. */
let before: World
let announced: World
let during: World
let after: World

beforeAll(async () => {
  if (!applies) return
  provider = await startOidcServer({ sites: [site.origin] })
  dataDir = await mkdtemp(join(tmpdir(), 'lanternist-secrets-'))
  const url = await copyTemplate()
  const start = async (settings: Record<string, string>) => {
    const all = { DATA_DIR: dataDir, ...provider.settings, ...settings }
    const node = await createWorld(all, { database: await connectToServer(url) })
    nodes.push(node)
    return node
  }
  before = await start({ SESSION_SECRET: old })
  announced = await start({ SESSION_SECRET: old, SESSION_SECRET_PREVIOUS: fresh })
  during = await start({ SESSION_SECRET: fresh, SESSION_SECRET_PREVIOUS: old })
  after = await start({ SESSION_SECRET: fresh })
})
beforeEach(async () => {
  if (applies) await before.reset()
})
afterAll(async () => {
  for (const node of nodes) await node.close()
  if (!applies) return
  await provider.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Returns the same browser as a client of another node. */
function atNode(node: World, person: Person): Person {
  const there = node.visitor()
  for (const pair of person.jar.header().split('; ')) {
    const [name = '', ...value] = pair.split('=')
    if (name !== '') there.jar.set(name, value.join('='))
  }
  return there
}

const isAnswered = (call: Promise<unknown>) =>
  call.then(
    () => true,
    () => false,
  )
const opens = async (node: World, url: string | null | undefined) =>
  (await node.visitor().fetch(url ?? '/nothing')).status === 200

let people = 0
/** Returns a new age-verified person who is signed in at a node. */
async function adultAt(node: World): Promise<Person & { readonly email: string }> {
  people += 1
  const person = await node.as(`person-${people}`)
  await person.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  return { ...person, email: `person-${people}@example.test` }
}

async function sessionAt(node: World, person: Person, seeds = [1]) {
  const slides = []
  for (const seed of seeds)
    slides.push({ mediaId: Number(await putMedia(person, await aPicture(seed))) })
  await node.runJobs()
  const { session } = await person.sessions.createManual({ body: { title: 'Mine', slides } })
  await node.runJobs()
  const id = String(session.id)
  const { media } = await person.sessions.read({ params: { id } })
  return { id, url: media[0]?.mediaUrl ?? '' }
}

/** A kind of signed value. It is made at one node; the result tells if another node accepts it. */
type Kind = (maker: World) => Promise<(taker: World) => Promise<boolean>>

const kinds: Record<string, Kind> = {
  async 'a sign-in'(maker) {
    const ana = await maker.as(`ana-${(people += 1)}`)
    return (taker) => isAnswered(atNode(taker, ana).accounts.currentUser())
  },
  async 'an owner’s address'(maker) {
    const { url } = await sessionAt(maker, await adultAt(maker))
    return (taker) => opens(taker, url)
  },
  async 'an address by a link'(maker) {
    const ana = await adultAt(maker)
    const { id } = await sessionAt(maker, ana)
    const { shareCode: code } = await ana.sharing.shareSession({ params: { id }, body: {} })
    const { media } = await (await adultAt(maker)).sharing.open({ params: { code } })
    expect(media[0]?.mediaUrl).toContain('?g=adultshare.')
    return (taker) => opens(taker, media[0]?.mediaUrl)
  },
  async 'a challenge for a new passkey'(maker) {
    const ana = await adultAt(maker)
    const response = createAuthenticator(site).register(await ana.passkeys.registrationOptions())
    return async (taker) => {
      const there = taker.visitor()
      // The cookie has a test of its own, so this one signs in at the other node.
      await there.accounts.signIn({ body: { email: ana.email, password } })
      return isAnswered(there.passkeys.add({ body: { name: 'A phone', response } }))
    }
  },
  async 'a challenge for signing in'(maker) {
    const ana = await adultAt(maker)
    const { device } = await addPasskey(ana)
    const browser = maker.visitor()
    const response = device.sign(await browser.passkeys.signInOptions())
    return (taker) => isAnswered(atNode(taker, browser).passkeys.signIn({ body: { response } }))
  },
  async 'a sign-in at the provider'(maker) {
    const browser = maker.visitor()
    const subject = provider.person(`subject-${(people += 1)}`, { email: 'ana@example.test' })
    const callback = await authorizeAs(provider, browser, subject)
    return async (taker) => {
      const there = atNode(taker, browser)
      await comeBack(there, callback)
      return isAnswered(there.accounts.currentUser())
    }
  },
  async 'the secret of a second factor'(maker) {
    const ana = await adultAt(maker)
    const { secret } = await turnOnSecondFactor(ana, maker)
    // The code of this step was used to turn it on.
    const code = () => shownCode(secret, maker.clock.now(), 1)
    return (taker) =>
      isAnswered(
        taker.visitor().accounts.signIn({ body: { email: ana.email, password, code: code() } }),
      )
  },
  async 'that an address reports what is fine'(maker) {
    const ip = `203.0.113.${(people += 1)}`
    const ana = await adultAt(maker)
    const admin = maker.visitor()
    await admin.accounts.devSignIn()
    const report = async (node: World, seed: number) => {
      const { id } = await sessionAt(maker, ana, [seed])
      const { shareCode } = await ana.sharing.shareSession({ params: { id }, body: {} })
      const { reportId } = await node.visitor({ 'x-forwarded-for': ip }).moderation.report({
        body: { targetType: 'shared_session', shareCode, reason: 'non_consensual', details: '' },
      })
      return { reportId, shareCode }
    }
    for (const seed of [1, 2, 3]) {
      const { reportId } = await report(maker, seed)
      const params = { id: String(reportId) }
      await admin.moderation.resolveReport({ params, body: { action: 'dismiss', note: '' } })
    }
    return async (taker) => {
      const { shareCode: code } = await report(taker, 4)
      return isAnswered(ana.sharing.open({ params: { code } }))
    }
  },
}

describe.runIf(applies).each(Object.entries(kinds))('%s', (_, make) => {
  test('signed by the old secret is valid only while that secret is configured', async () => {
    expect(await (await make(before))(during)).toBe(true)
    expect(await (await make(before))(after)).toBe(false)
  })

  test('signed by the new secret is valid on nodes where it was announced', async () => {
    expect(await (await make(during))(announced)).toBe(true)
    expect(await (await make(during))(before)).toBe(false)
  })

  test('is signed by the new secret while both are configured', async () => {
    expect(await (await make(during))(after)).toBe(true)
  })
})

test.runIf(applies)('a link shows files signed before it, with either secret', async () => {
  const ana = await adultAt(before)
  const { id } = await sessionAt(before, ana)
  const { shareCode: code } = await ana.sharing.shareSession({ params: { id }, body: {} })
  const { media } = await (await adultAt(during)).sharing.open({ params: { code } })
  const given = media[0]?.mediaUrl
  expect([await opens(during, given), await opens(announced, given)]).toEqual([true, true])
  expect([await opens(before, given), await opens(after, given)]).toEqual([false, false])
})

describe.runIf(applies)('signatures in the database', () => {
  /** Returns every address in the database that the old secret signed, with its table. */
  async function signedByOld(): Promise<string[]> {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(before.ctx.db)
    const found = new Set<string>()
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string }>`
        select whole::text as text from ${sql.table(name)} whole`.execute(before.ctx.db)
      for (const { text } of rows)
        for (const [address] of text.matchAll(/\/media\/[\w./-]+\?(?:g=[\w.]+&)?s=[\w-]+/g))
          if (addressOfMediaUrl([old], address)) found.add(name)
    }
    return [...found].toSorted()
  }

  const renew = (node: World) => parseCommand(['renew-secrets'])(node.ctx)

  test('are renewed in every table, and the old secret can be removed', async () => {
    const [ana, bo] = [await adultAt(before), await adultAt(before)]
    const { secret } = await turnOnSecondFactor(ana, before)
    const { id, url } = await sessionAt(before, ana, [1, 2])
    await ana.sessions.update({ params: { id }, body: { isPublic: true, shareToCommunity: true } })
    await before.ctx.db
      .insertInto('trashed_covers')
      .columns(['session_id', 'media_id', 'thumbnail'])
      .expression((select) =>
        select
          .selectFrom('session_media')
          .where('session_id', '=', Number(id))
          .where('position', '=', 0)
          .select(['session_id', sql<number>`vault_media_id`.as('media_id')])
          .select('media_url as thumbnail'),
      )
      .execute()
    // A session of bo with a slide of Ana's picture, and a report about it.
    const { media } = await bo.sessions.read({ params: { id } })
    const slides = [{ mediaUrl: media[0]?.mediaUrl ?? '' }, { mediaUrl: 'http://city.test/1.jpg' }]
    const kept = await bo.sessions.createManual({ body: { title: 'Kept', slides } })
    const { shareCode } = await bo.sharing.shareSession({
      params: { id: String(kept.session.id) },
      body: {},
    })
    await before.visitor().moderation.report({
      body: { targetType: 'shared_session', shareCode, reason: 'copyright', details: '' },
    })
    const tables = [...new Set(storedAddresses.map(({ table }) => table))]
    expect(await signedByOld()).toEqual(tables.toSorted())

    expect(await renew(during)).toMatch(
      /^signed the addresses in \d+ rows again, and encrypted 1 secrets/,
    )
    expect(await signedByOld()).toEqual([])
    expect(await renew(during)).toMatch(
      /^signed the addresses in 0 rows again, and encrypted 0 secrets/,
    )

    const there = after.visitor()
    const code = shownCode(secret, before.clock.now(), 1)
    await there.accounts.signIn({ body: { email: ana.email, password, code } })
    const shown = await there.sessions.read({ params: { id } })
    const addresses = shown.media.flatMap(({ mediaUrl, thumbnail, sizes }) => [
      mediaUrl,
      thumbnail,
      ...Object.values(sizes ?? {}),
    ])
    expect(addresses.length).toBeGreaterThan(2)
    for (const address of [...addresses, shown.session.thumbnail])
      expect(await opens(after, address), String(address)).toBe(true)
    expect(await opens(after, url)).toBe(false)
    const reader = await adultAt(after)
    const others = await reader.sessions.read({ params: { id } })
    expect(await opens(after, others.media[0]?.mediaUrl)).toBe(true)
  })

  test('without a valid signature stays as it is', async () => {
    const ana = await adultAt(before)
    const made = [
      `/media/user-media/users/a/b.jpg?s=${'A'.repeat(24)}`,
      'https://city.test/media/user-media/x.jpg?s=short',
    ]
    const slides = made.map((mediaUrl) => ({ mediaUrl }))
    const { session } = await ana.sessions.createManual({ body: { title: 'Made up', slides } })
    expect(await renew(during)).toMatch(/ 0 rows /)
    const { media } = await ana.sessions.read({ params: { id: String(session.id) } })
    expect(media.map(({ mediaUrl }) => mediaUrl)).toEqual(made)
  })
})
