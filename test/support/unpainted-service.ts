/**
 * The service as `npm start` runs it, but for the demo feed's pictures, which it paints only when
 * somebody asks for them: all of them would take the processors from the tests.
 */
import { fileURLToPath } from 'node:url'
import { parseConfig, readEnvironment } from '../../src/server/config/config.ts'
import { startNode } from '../../src/server/node.ts'
import { stopOnSignal } from '../../src/server/stop-on-signal.ts'

const node = await startNode(parseConfig(readEnvironment(process.cwd(), process.env)), {
  webFolder: fileURLToPath(new URL('../../dist/web', import.meta.url)),
  worksOnJobs: true,
  givesDemoSessions: true,
  // Most tests of pages begin with what they make themselves.
  replacements: process.env['GIVES_OPENINGS'] === '1' ? {} : { giveOpening: async () => {} },
})
node.ctx.log.info({ url: node.url }, 'Lanternist is up')
stopOnSignal(node)
