/**
 * The running service: reads the settings, starts a node, and drains it on a signal. Most of a start is
 * loading, so the embedded database is compiled on other threads while the rest is loaded.
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

// A client that asks all the time asks again within this; the rest of a stop has to fit as well.
const idleGraceMs = 2000

// By then whoever waits for the start has been told that it is ready.
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
    // Every worker looks for jobs at once when it begins, and here on the thread that answers.
    ...(isEmbedded && { jobsAfterMs }),
  })
  node.ctx.log.info(
    { event: 'up', url: node.url, baseUrl: config.baseUrl, role },
    'Lanternist is up',
  )
  stopOnSignal(node)
  // Now, as a process that is killed would keep nothing for its next start.
  flushCompileCache()
}

/** What this node does: requests, jobs, or both, so that picture work can grow apart from requests. */
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
