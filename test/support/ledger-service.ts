/**
 * A node with the paid endpoints of the tests, as a program of its own that can be killed. With
 * IGNORE_KEYS it is the mutant which takes every call for a new one.
 */
import { flushCompileCache } from 'node:module'
import { parseConfig } from '../../src/server/config/config.ts'
import { Settled } from '../../src/server/http/reply.ts'
import type { Route } from '../../src/server/http/route.ts'
import { startNode } from '../../src/server/node.ts'
import { paidRoutes } from './paid-endpoints.ts'

const ignoresKeys = process.env['IGNORE_KEYS'] === 'yes'
const node = await startNode(parseConfig(process.env), {
  webFolder: null,
  worksOnJobs: true,
  extraRoutes: ignoresKeys ? paidRoutes.map(withoutKeys) : paidRoutes,
})
// The line that whoever started it looks for; its own log is kept to what went wrong.
process.stdout.write(`${JSON.stringify({ url: node.url, msg: 'Lanternist is up' })}\n`)
// One that is killed leaves no cache, and each start would read all of the source again.
flushCompileCache()
process.once('SIGTERM', () => void node.stop().then(() => process.exit(0)))

/** Without a price the mount sees no key. */
function withoutKeys({ endpoint, handle }: Route): Route {
  const { price: _, ...unpriced } = endpoint
  return {
    endpoint: unpriced,
    handle: (ctx, call: object) =>
      handle(ctx, {
        ...call,
        settle: async (work: (settled: typeof ctx) => Promise<unknown>) =>
          new Settled(await work(ctx)),
      } as never),
  }
}
