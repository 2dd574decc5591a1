/** Ours as it is shipped, except that it promises jobs and runs none. */
import { fileURLToPath } from 'node:url'
import { parseConfig } from '../../src/server/config/config.ts'
import { startNode } from '../../src/server/node.ts'
import { stopOnSignal } from '../../src/server/stop-on-signal.ts'

const node = await startNode(parseConfig(process.env), {
  webFolder: fileURLToPath(new URL('../../dist/web', import.meta.url)),
  worksOnJobs: false,
})

stopOnSignal(node)
