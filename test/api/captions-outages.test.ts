/**
 * Providers that hang, break or are unreachable: the right error, no charge, and other callers are not
 * slowed.
 */
import { describe, expect, test } from 'vitest'
import type { CaptionReply } from '../support/caption-server.ts'
import { plainCaption } from '../support/caption-server.ts'
import type { CaptionWorld } from '../support/caption-world.ts'
import { createCaptionWorld, dataUrl } from '../support/caption-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: CaptionWorld
let ana: Person

useWorld(
  () => createCaptionWorld({ budgetMs: 1500 }),
  async (fresh) => {
    world = fresh
    ana = await world.as('ana')
  },
)

const callsOf = async (person: Person) => {
  const image = await dataUrl(1)
  return {
    playback: () => person.captions.generate({ body: { media_url: image } }),
    manual: () =>
      person.captions.generateManual({ body: { image, context: { index: 0, total: 3 } } }),
    rewrite: () => person.captions.rewrite({ body: { caption: 'Look up.' } }),
  }
}

const failed = {
  status: 502,
  body: { error: 'The caption could not be written', code: 'CAPTION_PROVIDER_FAILED' },
}
const late = {
  status: 504,
  body: { error: 'The caption took too long', code: 'CAPTION_PROVIDER_TIMEOUT' },
}

const replies: [string, CaptionReply, typeof failed][] = [
  ['hangs', () => {}, late],
  [
    'begins an answer and hangs',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"choices":')
    },
    late,
  ],
  ['resets the connection', (response) => void response.destroy(), failed],
  ['answers garbage', { body: 'choices = [' }, failed],
  ['answers HTML', { headers: { 'content-type': 'text/html' }, body: '<h1>Hi</h1>' }, failed],
  ['answers nothing', { body: '' }, failed],
  ['answers JSON of another kind', { body: { hello: 'world' } }, failed],
  ['answers 500', { status: 500, body: { error: { message: 'oops' } } }, failed],
  ['answers 503 in words', { status: 503, body: 'overloaded' }, failed],
  ['refuses the key', { status: 401, body: { error: { message: 'Incorrect API key' } } }, failed],
  ['redirects elsewhere', { status: 307, headers: { location: '/elsewhere' }, body: '' }, failed],
  [
    'answers without an end',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(100_000)));
      }
      response.on('drain', more)
      more()
    },
    failed,
  ],
]

describe.each(replies)('a provider that %s', (_, reply, expected) => {
  test('returns the right error, and nothing is charged', async () => {
    world.server.always(reply)
    const { playback, manual, rewrite } = await callsOf(ana)
    for (const call of [playback, manual, rewrite]) {
      const { status, body } = await refused(call())
      expect({ status, body }).toEqual(expected)
    }
    expect(world.server.asked).toHaveLength(3)
    expect(world.pauses).toEqual([])
    expect(await world.balanceOf(ana)).toBe(50)
    expect(await world.ctx.db.selectFrom('credit_holds').selectAll().execute()).toEqual([])
    // A failure is not cached: the next try may succeed.
    world.server.always(plainCaption)
    expect(await playback()).toEqual({ caption: plainCaption })
  })
})

test('a provider with Retry-After is asked again only after that time', async () => {
  world.server.reply({
    status: 429,
    headers: { 'retry-after': '30' },
    body: { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } },
  })
  const { playback, manual } = await callsOf(ana)
  expect(await refused(playback())).toMatchObject(failed)
  expect(await refused(manual())).toMatchObject(failed)
  expect(world.server.asked).toHaveLength(1)
  world.clock.advance(31_000)
  expect(await playback()).toEqual({ caption: plainCaption })
  expect(await world.balanceOf(ana)).toBe(50)
})

test('while the provider hangs, everything else works', async () => {
  world.server.always(() => {})
  const captions = Array.from({ length: 30 }, async (_, n) =>
    refused(ana.captions.generate({ body: { media_url: await dataUrl(n) } })),
  )
  const others = Array.from({ length: 20 }, () => ana.credits.balance())
  const first = await Promise.race([
    Promise.all(others).then(() => 'the others'),
    Promise.all(captions).then(() => 'the captions'),
  ])
  expect(first).toBe('the others')
  for (const { body } of await Promise.all(captions)) expect(body).toEqual(late.body)
})

describe('without a provider', () => {
  test.each([
    ['turned off', { CAPTIONS: 'off' }],
    ['without key and base URL', { CAPTIONS: 'openai' }],
  ])('%s, every caption says that a key is needed', async (_, settings) => {
    const bare: World = await createWorld(settings)
    const cy = await bare.as('cy')
    const { id: sessionId } = await cy.sessions.create({
      body: { title: 'Evening', subfeeds: 'city' },
    })
    const { playback, manual, rewrite } = await callsOf(cy)
    const calls = [
      playback,
      manual,
      rewrite,
      () =>
        cy.captions.rewriteBatch({
          body: { captions: [{ index: 0, caption: 'Look.' }], instruction: 'Fresher' },
        }),
      () => cy.captions.prewarm({ body: { sessionId } }),
      () => cy.captions.captionSession({ body: { sessionId } }),
    ]
    for (const call of calls) {
      const { status, body } = await refused(call())
      expect({ status, body }).toEqual({
        status: 503,
        body: { error: 'Captions are not configured on this site', requiresApiKey: true },
      })
    }
    const params = { id: String(sessionId) }
    await cy.sessions.update({ params, body: { captionTheme: 'joi' } })
    expect((await refused(cy.captions.captionSession({ body: { sessionId } }))).body).toMatchObject(
      { code: 'AGE_VERIFICATION_REQUIRED' },
    )
    expect((await bare.visitor().operations.ready()).adapters.captions).toBe('off')
    await bare.close()
  })
})
