/** Playing and paying for slides (contract 4.2). */
import { expect, test } from 'vitest'
import type { Context } from '../../src/server/context.ts'
import { findUnbalanced } from '../../src/server/features/credits/ledger/queries.ts'
import { viewSlides } from '../../src/server/features/sessions/plays/plays.ts'
import { Settled } from '../../src/server/http/reply.ts'
import { createTurns } from '../../src/server/platform/concurrency/turns.ts'
import { pictures } from '../support/fake-feed.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: SessionWorld
let ana: Person
let bo: Person

useWorld(createSessionWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  world.feed.put('city', pictures('city', 10))
})

async function playing(person: Person, id: string) {
  const { playId, credits } = await person.sessions.play({ params: { id } })
  const { media } = await person.sessions.read({ params: { id } })
  const view = (mediaIds: number[], headers: Record<string, string> = {}) =>
    person.sessions.view({ params: { playId: String(playId) }, body: { mediaIds }, headers })
  return { credits, ids: media.map((slide) => slide.id), view }
}

test('each slide is charged once per play, to the viewer', async () => {
  const id = await world.makeFilled(ana, { captionTheme: 'custom', isPublic: true })
  const hers = await playing(ana, id)
  expect(hers.credits).toBe(25)
  expect(await hers.view(hers.ids.slice(0, 3))).toEqual({ charged: 3, balance: 22 })
  expect(await hers.view(hers.ids.slice(0, 4))).toEqual({ charged: 1, balance: 21 })
  expect(await hers.view(hers.ids.slice(0, 4))).toEqual({ charged: 0, balance: 21 })
  const his = await playing(bo, id)
  expect(await his.view([...his.ids, 999_999])).toEqual({ charged: 10, balance: 40 })
  const again = await playing(bo, id)
  expect(await again.view([again.ids[0]!])).toEqual({ charged: 1, balance: 39 })
})

test('twenty concurrent reports of the same slides are charged once', async () => {
  const id = await world.makeFilled(ana, { aiPrompt: 'Calm words' })
  const { ids, view } = await playing(ana, id)
  const answers = await Promise.all(Array.from({ length: 20 }, () => view(ids)))
  expect(answers.reduce((sum, { charged }) => sum + charged, 0)).toBe(10)
  expect((await ana.credits.balance()).balance).toBe(15)
})

test('overlapping reports, from many nodes, with keys and without, charge each slide once', async () => {
  const id = await world.makeFilled(ana, { aiPrompt: 'Calm words', isPublic: true })
  const { ids } = await playing(bo, id)
  const { playId } = await bo.sessions.play({ params: { id } })
  const user = { id: (await bo.accounts.currentUser()).id }
  const mixed = (number: number) =>
    ids.map((_, at) => ids[(at * 7 + number * 3) % ids.length] ?? 0).slice(0, 1 + (number % 10))
  // Calls the handler directly, so that each call runs on another node: only the database serialises
  // them.
  const onNode = (mediaIds: number[]) => {
    const ctx = { ...world.ctx, turns: createTurns() }
    const settle = async <T>(work: (ctx: Context) => Promise<T>) => new Settled(await work(ctx))
    return viewSlides(ctx, { user, params: { playId }, body: { mediaIds }, settle } as never)
  }
  const params = { playId: String(playId) }
  const keyed = (number: number) => {
    const headers = { 'idempotency-key': `views-${number % 5}` }
    return bo.sessions.view({ params, body: { mediaIds: mixed(number % 5) }, headers })
  }
  const inProgress = (error: unknown) =>
    expect(error).toMatchObject({ body: { code: 'IDEMPOTENCY_IN_PROGRESS' } })
  await Promise.all([
    ...Array.from({ length: 20 }, (_, number) => onNode(mixed(number))),
    ...Array.from({ length: 20 }, (_, number) => keyed(number).catch(inProgress)),
  ])
  await bo.sessions.view({ params, body: { mediaIds: ids } })
  expect((await bo.credits.balance()).balance).toBe(40)
  expect(await findUnbalanced(world.ctx)).toEqual([])
})

test('playing is free without AI captions, and so are the owner’s manual sessions', async () => {
  const plain = await world.makeFilled(ana)
  const first = await playing(ana, plain)
  expect(await first.view(first.ids)).toMatchObject({ charged: 0 })
  const { session } = await ana.sessions.createManual({
    body: {
      title: 'By hand',
      captionTheme: 'custom',
      isPublic: true,
      slides: [{ mediaUrl: 'https://pictures.example/a.jpg' }],
    },
  })
  const own = await playing(ana, String(session.id))
  expect(await own.view(own.ids)).toMatchObject({ charged: 0 })
  const others = await playing(bo, String(session.id))
  expect(await others.view(others.ids)).toMatchObject({ charged: 1 })
})

test('without credits nothing is charged or counted', async () => {
  const id = await world.makeFilled(ana, { captionTheme: 'custom', isPublic: true })
  await world.ctx.db
    .updateTable('feature_pricing')
    .set({ credits_required: 20 })
    .where('feature_key', '=', 'session_slide_view')
    .execute()
  const { ids, view } = await playing(bo, id)
  expect(await refused(view(ids.slice(0, 3)))).toMatchObject({
    status: 402,
    body: { required: 60, current: 50 },
  })
  expect(await view(ids.slice(0, 2))).toEqual({ charged: 40, balance: 10 })
  await world.ctx.db
    .updateTable('feature_pricing')
    .set({ credits_required: 1 })
    .where('feature_key', '=', 'session_slide_view')
    .execute()
})

test('a report repeated with its key is counted once', async () => {
  const id = await world.makeFilled(ana, { captionTheme: 'custom' })
  const { ids, view } = await playing(ana, id)
  const headers = { 'idempotency-key': 'views-1' }
  const first = await view(ids.slice(0, 5), headers)
  expect(await view(ids.slice(0, 5), headers)).toEqual(first)
  expect(first).toEqual({ charged: 5, balance: 20 })
})

test('another account’s play is not found', async () => {
  const id = await world.makeFilled(ana, { isPublic: true })
  const { playId } = await ana.sessions.play({ params: { id } })
  const params = { playId: String(playId) }
  expect((await refused(bo.sessions.view({ params, body: { mediaIds: [1] } }))).status).toBe(404)
})
