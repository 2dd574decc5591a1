/** A node is killed while it enhances a picture: another node refunds the credits and ends the generation. */
import { afterAll, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { failStuckEnhancements } from '../../src/server/features/enhancement/endings.ts'
import { runJob } from '../../src/server/jobs/job.ts'
import { createCookieJar } from '../support/cookie-jar.ts'
import { createEnhancementWorld, pictureFile } from '../support/enhancement-world.ts'
import { eventually } from '../support/eventually.ts'
import { endServices, startService, unlimited } from '../support/service-process.ts'
import { copyTemplate, engine } from '../support/test-database.ts'

afterAll(endServices)

if (engine === 'embedded')
  console.info('skipped: a second node, which the embedded database does not have')

test.skipIf(engine === 'embedded')(
  'a killed node leaves nothing pending and nothing charged',
  { timeout: 120_000 },
  async () => {
    const url = await copyTemplate()
    const doomed = await startService({
      ...unlimited,
      DATABASE_URL: url,
      FEED: 'off',
      SESSION_SECRET: 'one secret for both of the nodes',
    })
    const jar = createCookieJar()
    const client = createClient(api, {
      baseUrl: doomed.url,
      fetch: async (input, init) => {
        const headers = new Headers(init?.headers)
        if (jar.header() !== '') headers.set('cookie', jar.header())
        const response = await fetch(input, { ...init, headers })
        jar.keep(response.headers.getSetCookie())
        return response
      },
    })
    await client.accounts.register({
      body: { email: 'ana@example.test', password: 'a long enough password' },
    })
    await client.enhancement.giveConsent({ body: { version: 1 } })
    const other = await createEnhancementWorld(
      { SESSION_SECRET: 'one secret for both of the nodes' },
      { database: await connectToServer(url) },
    )
    try {
      // Large enough: the neural network takes seconds for a picture of this size.
      const image = await pictureFile({ width: 1000, height: 1000, format: 'jpeg' })
      const call = client.enhancement
        .generate({ form: { image, quality: 'high' }, headers: { 'idempotency-key': 'once' } })
        .catch((error: unknown) => error)
      await eventually(async () => {
        const [record] = await other.records('ana')
        expect(record).toMatchObject({ status: 'pending', provider_path: expect.any(String) })
      })
      await doomed.kill()
      expect(await call).toBeInstanceOf(TypeError)
      expect((await other.movements('ana')).map(({ amount }) => amount)).toEqual([-45])
      other.clock.advance(61_000)
      await runJob(other.ctx, failStuckEnhancements, {})
      const [record] = await other.records('ana')
      const [debit, refund, ...more] = await other.movements('ana')
      expect([debit?.amount, refund?.amount, refund?.refundOf, more]).toEqual([
        -45,
        45,
        debit?.id,
        [],
      ])
      expect(record).toMatchObject({
        status: 'failed',
        error_message: 'The work was interrupted',
        refund_transaction_id: refund?.id,
      })
      // The same call, sent again to the other node, returns the outcome.
      const ana = other.visitor({ cookie: jar.header() })
      const form = { image, quality: 'high' as const }
      const again = await ana.enhancement
        .generate({ form, headers: { 'idempotency-key': 'once' } })
        .catch((error: unknown) => error)
      expect(again).toMatchObject({ status: 503, body: { code: 'INTERRUPTED' } })
      expect(await other.movements('ana')).toHaveLength(2)
    } finally {
      await other.close()
    }
  },
)
