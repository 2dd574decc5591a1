/**
 * Our service with one extra endpoint, which only spends a credit. A request passes the same pipeline as any
 * other: cross-site check, limits, sign-in, schemas.
 */
import { z } from 'zod'
import { endpoint, json } from '../../src/contract/endpoint.ts'
import { parseConfig } from '../../src/server/config/config.ts'
import { spend } from '../../src/server/features/credits/ledger/spending.ts'
import { route } from '../../src/server/http/route.ts'
import { startNode } from '../../src/server/node.ts'
import { stopOnSignal } from '../../src/server/stop-on-signal.ts'

const spendOne = endpoint({
  method: 'POST',
  path: '/bench/spend',
  summary: 'Spends one credit.',
  who: 'user',
  limit: 'none',
  price: 'session_slide_view',
  body: z.object({}),
  answer: json(200, z.object({ charged: z.int(), balance: z.int() })),
  failures: [],
})

const spendRoute = route(spendOne, (_, { user, settle }) =>
  settle(async (ctx) => {
    const charge = { featureKey: 'session_slide_view', description: 'A slide' }
    const { charged, balance } = await spend(ctx, user.id, charge)
    return { charged, balance }
  }),
)

const node = await startNode(parseConfig(process.env), {
  webFolder: null,
  worksOnJobs: true,
  extraRoutes: [spendRoute],
})

stopOnSignal(node)
