/** Commits to an embedded database in DATA_DIR and reports each commit, for a tracing parent process. */
import { writeSync } from 'node:fs'
import { openEmbeddedDatabase } from '../../src/server/database/embedded.ts'

const database = await openEmbeddedDatabase(process.env['DATA_DIR'] ?? '', {
  isDurable: process.env['EMBEDDED_SYNC'] === 'on',
})
await database.runScripts((scripts) => scripts.run('create table notes (number int)'))
for (let number = 1; number <= 20; number += 1) {
  await database.query('insert into notes values ($1)', [number])
  writeSync(1, `acknowledged ${number}\n`)
}
await database.close()
