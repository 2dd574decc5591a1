/** A new account starts with a filled session that is free and never adult. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findUnbalanced } from '../../src/server/features/credits/ledger/queries.ts'
import { setRole } from '../support/admin-world.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld } from '../support/community-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, password } from '../support/world.ts'

const movementsOf = async (person: Person) =>
  (await person.credits.transactions()).transactions.map(({ type, amount }) => [type, amount])

describe('on a site with the demo feed', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld({}, { givesOpenings: true })
  })
  afterAll(() => world.close())

  test('exists at the first sign-in, is filled by itself and stays the only one', async () => {
    for (const name of ['ana', 'bo']) {
      const person = await world.as(name)
      const [opening, ...others] = await person.sessions.list()
      expect(opening).toMatchObject({ title: 'Slow light', fillStatus: 'pending', nsfw: false })
      expect(others).toEqual([])
      await world.runJobs()
      const params = { id: String(opening?.id) }
      const { session, media } = await person.sessions.read({ params })
      expect(session).toMatchObject({ fillStatus: 'ready', mediaCount: 25 })
      expect(media.some(({ nsfw }) => nsfw)).toBe(false)
      await person.accounts.signIn({ body: { email: `${name}@example.test`, password } })
      await world.runJobs()
      expect(await person.sessions.list()).toHaveLength(1)
      expect(await movementsOf(person)).toEqual([['grant', 50]])
    }
  })
})

describe('on any other site', () => {
  let world: CommunityWorld
  let ada: Person

  beforeAll(async () => {
    world = await createCommunityWorld({ givesOpenings: true })
  })
  beforeEach(async () => {
    await world.reset()
    ada = await world.adult('ada')
    await setRole(world, 'ada', 'admin')
  })
  afterAll(async () => {
    expect(await findUnbalanced(world.ctx)).toEqual([])
    await world.close()
  })

  const newcomer = async (name: string) => {
    const person = await world.as(name)
    await world.runJobs()
    return { person, sessions: await person.sessions.list() }
  }

  test('is a copy of a session that an administrator published as safe', async () => {
    const { id, sessionId } = await world.makePublished(ada, { title: 'Evening' }, { nsfw: false })
    for (const name of ['bo', 'cy']) {
      const { person, sessions } = await newcomer(name)
      expect(sessions).toMatchObject([
        { title: 'Evening', mediaCount: 3, importUrl: `community:${id}`, isPublic: false },
      ])
      expect(await movementsOf(person)).toEqual([['grant', 50]])
      // It belongs to the account: saving it again returns the same session and costs nothing.
      expect(await person.community.save({ params: { id } })).toMatchObject({ reused: true })
    }
    await ada.sessions.remove({ params: { id: sessionId } })
    const { sessions } = await newcomer('di')
    expect(sessions).toEqual([])
  })

  test('it contains no adult and no unmoderated content', async () => {
    await world.makePublished(ada, { title: 'For adults' })
    const eve = await world.adult('eve')
    await world.makePublished(eve, { title: 'Says it is safe' }, { nsfw: false })
    expect((await newcomer('bo')).sessions).toEqual([])
  })

  test('of several it is the most saved one', async () => {
    await world.makePublished(ada, { title: 'First' }, { nsfw: false })
    const { id } = await world.makePublished(ada, { title: 'Second' }, { nsfw: false })
    await world.makePublished(ada, { title: 'Third' }, { nsfw: false })
    const eve = await world.adult('eve')
    await eve.community.save({ params: { id } })
    const { sessions } = await newcomer('bo')
    expect(sessions.map(({ title }) => title)).toEqual(['Second'])
  })

  test('it does not interfere with sessions that the user makes at the same time', async () => {
    await world.makePublished(ada, { title: 'Evening' }, { nsfw: false })
    const bo = await world.as('bo')
    await world.make(bo, { title: 'My own' })
    await world.runJobs()
    const titles = (await bo.sessions.list()).map(({ title }) => title)
    expect(titles).toEqual(['My own'])
  })

  test('a failing storage fails neither the sign-in nor the next try', async () => {
    await world.makePublished(ada, { title: 'Evening' }, { nsfw: false })
    const bo = await world.as('bo')
    world.storageFaults.writesLeft = 0
    await world.runJobs()
    expect(await bo.sessions.list()).toEqual([])
    world.storageFaults.writesLeft = Infinity
    world.clock.advance(120_000)
    await world.runJobs()
    expect(await bo.sessions.list()).toHaveLength(1)
  })
})
