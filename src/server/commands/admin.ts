/**
 * `npm run admin`: one command, carried out and answered on the terminal. On the embedded database
 * the service has to be stopped meanwhile.
 */
import { parseConfig, readEnvironment } from '../config/config.ts'
import { mailNotice } from '../features/accounts/security/account-mails.ts'
import { Problem } from '../http/problem.ts'
import { openContext } from '../open-context.ts'
import { reasonOf } from '../platform/start-error.ts'
import { Misunderstood, understandCommand, usage } from './admin-commands.ts'
import { requireSite } from './existing-site.ts'

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Problem ? wordsOf(error) : reasonOf(error)}\n`)
  // 2: it was not understood. 1: it could not be done.
  process.exitCode = error instanceof Misunderstood ? 2 : 1
}

async function run(words: readonly string[]): Promise<string> {
  if (words[0] === '--help' || words[0] === 'help') return usage
  const command = understandCommand(words)
  const environment = readEnvironment(process.cwd(), process.env)
  requireSite(environment, 'database')
  const config = parseConfig({ ...environment, LOG_LEVEL: 'error' })
  // Who is changed here is told by mail, as soon as the service works on it.
  const { ctx, close } = await openContext(config, [mailNotice])
  try {
    return await command(ctx)
  } finally {
    await close()
  }
}

function wordsOf({ body }: Problem): string {
  return String(body['message'])
}
