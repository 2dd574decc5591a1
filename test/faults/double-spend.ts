/**
 * Two hundred concurrent calls of every paid feature, on two nodes, by an account that can pay for one.
 * One call succeeds, and the credits are debited once.
 */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { Client as PgClient } from 'pg'
import { eventually } from '../support/eventually.ts'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { Caller, Timed } from '../support/outage-stage.ts'
import { registerCaller, startLemmy } from '../support/outage-stage.ts'
import { blue, dataUri, plain, red } from '../support/pictures.ts'
import { startService } from '../support/service-process.ts'

const calls = 200
const rounds = 10
const price = 7
/** This feature delivers before it charges: only its hold protects the credits from other calls. */
const chargedLast = '/api/manual/generate-ai-caption'

export const row: FaultRow = {
  budgetSeconds: 600,
  runs: 'in the table',
  machine: 'shared',
  shortTests: ['test/api/ledger-concurrency.test.ts', 'test/api/ledger-laws.test.ts'],
  // With this mutant, calls in flight no longer count against each other: all of them hold the same
  // credits. No other guard catches that, while the schema also refuses a debit that is too large.
  mutant: {
    file: 'src/server/features/credits/ledger/hold-queries.ts',
    line: 'select tier, balance - held as available',
    becomes: 'select tier, balance as available',
  },
  checks: [
    {
      load: `${rounds} times ${calls} calls at a balance of one, on two nodes: of all features and of one in turn`,
      goal: 'one is served, the balance is 0, sums are balances',
      inSmoke: true,
      run: spendTwice,
    },
  ],
}

type Feature = { readonly path: string; readonly init: () => Parameters<Caller>[1] }

async function spendTwice(tools: FaultTools): Promise<Verdict> {
  const home = await newServerHome(tools)
  const lemmy = await startLemmy()
  tools.afterwards(async () => lemmy.close())
  const feedUrl = `http://127.0.0.1:${(lemmy.address() as AddressInfo).port}`
  const settings = {
    ...home.settings,
    CAPTIONS: 'demo',
    FEED: 'lemmy',
    LEMMY_URL: feedUrl,
    FETCH_ALLOW: new URL(feedUrl).host,
    SESSION_SECRET: 'the same secret on every node of this test',
  }
  const first = await startService({ ...settings, DATA_DIR: `${home.dataDir}-1` })
  const second = await startService({ ...settings, DATA_DIR: `${home.dataDir}-2` })
  const database = new PgClient({ connectionString: home.databaseUrl })
  await database.connect()
  tools.afterwards(() => database.end())
  await database.query(
    'update feature_pricing set credits_required = $1, is_premium_only = false',
    [price],
  )
  const bytes = await plain(300, 300, red)
  const pictures = [dataUri(bytes), dataUri(await plain(300, 300, blue))] as const
  const held: Record<string, boolean> = {}
  const served = new Map<string, number>()
  for (let round = 0; round < tools.scaled(rounds, 2); round += 1) {
    const here = await registerCaller(first.url, `p${round}`)
    const there: Caller = (path, init) => here(`${second.url}${path}`, init)
    await here('/api/enhance/consent', jsonBody({ version: 1 }))
    const { id } = (await here('/api/auth/user')).body as { id: string }
    const all = featuresFor(pictures, bytes, round)
    // With all features, a quick one often takes the credits before the others start.
    const features = round % 2 === 0 ? all : all.filter(({ path }) => path === chargedLast)
    await setBalance(database, id)
    const answers = await Promise.all(
      Array.from({ length: calls }, async (_, index) => {
        const { path, init } = tools.random.pick(features)
        const caller = index % 2 === 0 ? here : there
        return { path, answer: await caller(path, init()) }
      }),
    )
    const paid = answers.filter(({ answer }) => answer.status < 300)
    for (const { path } of paid) served.set(path, (served.get(path) ?? 0) + 1)
    held[`${paid.length} were served`] = paid.length === 1
    held[`others were answered ${strange(answers.map(({ answer }) => answer))}`] = answers.every(
      ({ answer }) => answer.status < 300 || answer.status === 402,
    )
    await untilCollected(database, id)
    const left = await balanceOf(database, id)
    held[`${left.balance} are left, and the sum is ${left.sum}`] =
      left.balance === 0 && left.sum === 0
  }
  const words = [...served].map(([path, times]) => `${times} × ${path}`)
  return verdict(`served: ${words.join(', ')}`, held)
}

function featuresFor(
  [picture, other]: readonly [string, string],
  bytes: Buffer,
  round: number,
): readonly Feature[] {
  const region = { x: 0.2, y: 0.2, width: 0.5, height: 0.5 }
  const bodies: Readonly<Record<string, object>> = {
    '/api/manual/rewrite-caption': { caption: `Look ${round}.` },
    [chargedLast]: { image: picture, context: { index: 0, total: 1 } },
    '/api/manual/batch-rewrite-captions': {
      captions: [{ index: 0, caption: 'Look.' }],
      instruction: 'Softer',
    },
    '/api/babecock/generate': { babeImageUrl: picture, cockImageUrl: picture },
    '/api/hypnococks/generate': {
      imageUrls: [picture, other],
      frameMs: 200,
      effect: 'crossfade',
      size: 256,
      format: 'gif',
    },
    '/api/images/censor': { imageUrl: picture, regions: [region], mode: 'blur', strength: 3 },
    '/api/sessions': { title: 'Mine', subfeeds: 'harbours' },
  }
  const enhance = () => {
    const body = new FormData()
    body.set('image', new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }))
    body.set('quality', 'low')
    return { method: 'POST', body }
  }
  return [
    ...Object.entries(bodies).map(([path, body]) => ({ path, init: () => jsonBody(body) })),
    { path: '/api/enhance/generate', init: enhance },
  ]
}

function strange(answers: readonly Timed[]): string {
  const others = answers.filter(({ status }) => status >= 300 && status !== 402)
  const [one] = others
  return one ? `${others.length} × ${one.status} ${JSON.stringify(one.body)?.slice(0, 120)}` : ''
}

function jsonBody(body: object) {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/** Writes the change as a grant, so that the sum of all rows stays the balance. */
async function setBalance(database: PgClient, userId: string): Promise<void> {
  const { balance } = await balanceOf(database, userId)
  await database.query(
    `with moved as (update credit_accounts set balance = $2 where user_id = $1 returning balance)
     insert into credit_transactions (user_id, amount, type, description, balance_after, created_at)
     select $1, $2 - $3::int, 'grant', 'For a fault', balance, now() from moved`,
    [userId, price, balance],
  )
}

/** A delivered caption is charged moments after its answer. */
async function untilCollected(database: PgClient, userId: string): Promise<void> {
  const holds = 'select from credit_holds where user_id = $1'
  await eventually(async () =>
    assert.equal((await database.query(holds, [userId])).rowCount, 0, 'a hold is not collected'),
  )
}

async function balanceOf(database: PgClient, userId: string) {
  const { rows } = await database.query<{ balance: number; sum: number }>(
    `select balance, (select sum(amount)::int from credit_transactions where user_id = $1) as sum
     from credit_accounts where user_id = $1`,
    [userId],
  )
  const [found] = rows
  assert.ok(found)
  return found
}
