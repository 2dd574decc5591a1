/**
 * The running service: reads the settings, starts a node, and drains it on a signal. Loading code takes
 * most of a start, so other threads compile the embedded database during the rest of the loading.
 */
import { existsSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseConfig, readEnvironment } from '../config/config.ts'
import { SettingError } from '../config/setting.ts'
import { readCommandLine } from '../platform/command-line.ts'
import { StartError } from '../platform/start-error.ts'
import { stopWithNpm } from '../platform/stop-with-npm.ts'

const webFolder = fileURLToPath(new URL('../../../dist/web', import.meta.url))

// A client that polls sends its next request within this time. The rest of the stop must fit in the
// deadline too.
const idleGraceMs = 2000

// By then the process that waits for the start knows that it is ready.
const jobsAfterMs = 1000

async function run(): Promise<void> {
  const role = readRole()
  stopWithNpm()
  const config = parseConfig(readEnvironment(process.cwd(), process.env))
  if (role !== 'all' && !config.databaseUrl)
    throw new StartError(`--role ${role} needs DATABASE_URL: an embedded database has one process`)
  if (!existsSync(webFolder))
    throw new StartError('the web client is not built; run `npm run build`')
  const isEmbedded = !config.databaseUrl
  if (isEmbedded) void import('../database/embedded-engine.ts')
  const { startNode } = await import('../node.ts')
  const { stopOnSignal } = await import('../stop-on-signal.ts')
  const node = await startNode(config, {
    webFolder,
    worksOnJobs: role !== 'web',
    servesRequests: role !== 'worker',
    givesDemoSessions: true,
    publishesDemoSessions: true,
    paintsDemo: true,
    idleGraceMs,
    takesCommands: isEmbedded,
    // Every worker polls when it starts, and the embedded database shares the thread that answers requests.
    ...(isEmbedded && { jobsAfterMs }),
  })
  node.ctx.log.info(
    { event: 'up', url: node.url, baseUrl: config.baseUrl, role },
    'Lanternist is up',
  )
  stopOnSignal(node)
  // Now, because a process that is killed would not save its cache.
  flushCompileCache()
}

/** The work of this node: requests, jobs, or both. So nodes for image work can scale separately. */
const roles = ['web', 'worker', 'all'] as const

function readRole(): (typeof roles)[number] {
  const { values } = readCommandLine({
    usage: `npm run serve [-- --role ${roles.join('|')}]`,
    options: { role: { type: 'string', default: 'all' } },
  })
  const role = roles.find((known) => known === values.role)
  if (role === undefined) throw new StartError(`--role must be one of ${roles.join(', ')}`)
  return role
}

try {
  await run()
} catch (error) {
  const expected = error instanceof SettingError || error instanceof StartError
  process.stderr.write(
    `${expected ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  )
  process.exit(1)
}
