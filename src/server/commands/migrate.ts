/** Runs `npm run migrate`: updates the schema without starting a node, for separate deployment steps. */
import { parseConfig, readEnvironment } from '../config/config.ts'
import { openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrations.ts'
import { readCommandLine } from '../platform/command-line.ts'
import { reasonOf } from '../platform/start-error.ts'

readCommandLine({ usage: 'npm run migrate' })
try {
  const database = await openDatabase(parseConfig(readEnvironment(process.cwd(), process.env)))
  try {
    const applied = await migrate(database)
    process.stdout.write(applied.length > 0 ? `applied ${applied.join(', ')}\n` : 'up to date\n')
  } finally {
    // Open connections would keep a failed command from exiting.
    await database.close()
  }
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 1
}
