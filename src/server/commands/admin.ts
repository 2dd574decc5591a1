/** Runs one command of `npm run admin`. With the embedded database, a running service executes it. */
import { parseConfig, readEnvironment } from '../config/config.ts'
import { readerOf } from '../config/environment.ts'
import { settings } from '../config/settings.ts'
import type { Context } from '../context.ts'
import { mailNotice } from '../features/accounts/security/account-mails.ts'
import { openContext } from '../open-context.ts'
import { runCommand } from './admin-commands.ts'
import { askRunningService } from './command-socket.ts'
import { requireSite } from './existing-site.ts'

const words = process.argv.slice(2)
const { exitCode, text } = await runCommand(words, carryOut)
const output = exitCode === 0 ? process.stdout : process.stderr
output.write(`${text}\n`)
process.exitCode = exitCode

async function carryOut(run: (ctx: Context) => Promise<string>): Promise<string> {
  const environment = readEnvironment(process.cwd(), process.env)
  const read = readerOf(environment)
  if (!read(settings.databaseUrl)) {
    const reply = await askRunningService(read(settings.dataDir), words)
    if (reply?.exitCode === 0) return reply.text
    if (reply) throw new Error(reply.text)
  }
  requireSite(environment, 'database')
  const config = parseConfig({ ...environment, LOG_LEVEL: 'error' })
  // The changed account is notified by mail when the service runs the job.
  const { ctx, close } = await openContext(config, [mailNotice])
  try {
    return await run(ctx)
  } finally {
    await close()
  }
}
