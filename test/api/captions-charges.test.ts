/** The price of captions beside other paid calls. A caption that exists is not written or charged again. */
import { describe, expect, test } from 'vitest'
import { holdCredits } from '../../src/server/features/credits/ledger/holds.ts'
import { completion, plainCaption } from '../support/caption-server.ts'
import type { CaptionWorld } from '../support/caption-world.ts'
import { createCaptionWorld, dataUrl } from '../support/caption-world.ts'
import { eventually } from '../support/eventually.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: CaptionWorld
let ana: Person

useWorld(createCaptionWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
})

describe('a caption in the editor', () => {
  test('is charged even if its caller spends all credits in the meantime', async () => {
    const gate = Promise.withResolvers<void>()
    world.server.reply(async (response) => {
      await gate.promise
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(completion({ content: plainCaption })))
    })
    const image = await dataUrl(1)
    const caption = ana.captions.generateManual({
      body: { image, context: { index: 3, total: 9 } },
    })
    await eventually(() => expect(world.server.asked).toHaveLength(1))
    const body = { title: 'Evening', subfeeds: 'city' }
    await ana.sessions.create({ body })
    expect((await refused(ana.sessions.create({ body }))).body).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      required: 25,
      current: 15,
    })
    gate.resolve()
    expect(await caption).toEqual({ caption: plainCaption })
    await world.settled()
    expect(await world.balanceOf(ana)).toBe(15)
  })

  test('is held by an account that is deleted, and deleted with it', async () => {
    const { id, email } = await ana.accounts.currentUser()
    await holdCredits(world.ctx, id, { featureKey: 'smart_caption', description: 'Caption' })
    await ana.accounts.deleteAccount({ body: { confirm: email } })
    expect(await world.ctx.db.selectFrom('credit_holds').select('id').execute()).toEqual([])
  })
})

describe('captioning a session', () => {
  const caption = (person: Person, sessionId: number, more: Record<string, unknown> = {}) =>
    person.captions.captionSession({ body: { sessionId, ...more } })

  test('happens once: slides with a caption are skipped and not charged again', async () => {
    const sessionId = await world.makeSession(ana, {}, { count: 3 })
    await caption(ana, sessionId)
    await world.runJobs()
    const before = await world.balanceOf(ana)
    expect(await refused(caption(ana, sessionId))).toMatchObject({
      status: 400,
      message: 'Validation failed: the session has no slides to caption',
    })
    expect(await world.balanceOf(ana)).toBe(before)
  })

  test('checks the age first', async () => {
    const sessionId = await world.makeSession(ana, { captionTheme: 'joi' }, { count: 1 })
    const locked = { status: 403, body: { code: 'AGE_VERIFICATION_REQUIRED' } }
    expect(await refused(caption(ana, sessionId, { mediaIds: [2_000_000] }))).toMatchObject(locked)
    const params = { id: String(sessionId) }
    await ana.sessions.replaceMedia({ params, body: { slides: [] } })
    expect(await refused(caption(ana, sessionId))).toMatchObject(locked)
  })
})
