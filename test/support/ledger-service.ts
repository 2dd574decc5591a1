/** A node with the paid endpoints of the tests, as a separate program that can be killed. */
import { flushCompileCache } from 'node:module'
import { parseConfig } from '../../src/server/config/config.ts'
import { startNode } from '../../src/server/node.ts'
import { stopOnSignal } from '../../src/server/stop-on-signal.ts'
import { paidRoutes } from './paid-endpoints.ts'

const node = await startNode(parseConfig(process.env), {
  webFolder: null,
  worksOnJobs: true,
  extraRoutes: paidRoutes,
})
// The parent waits for this line. The node's own log contains only errors.
process.stdout.write(`${JSON.stringify({ url: node.url, msg: 'Lanternist is up' })}\n`)
// A killed process writes no compile cache, and each start would compile the whole source again.
flushCompileCache()
stopOnSignal(node)
