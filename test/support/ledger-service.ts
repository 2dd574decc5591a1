/** A node with the paid endpoints of the tests, as a program of its own that can be killed. */
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
// The line that whoever started it looks for; its own log is kept to what went wrong.
process.stdout.write(`${JSON.stringify({ url: node.url, msg: 'Lanternist is up' })}\n`)
// One that is killed leaves no cache, and each start would read all of the source again.
flushCompileCache()
stopOnSignal(node)
