/** Makes a migration that is not among the files. */
import { createHash } from 'node:crypto'
import type { Migration } from '../../src/server/database/migrations.ts'

export function addedMigration(name: string, script: string): Migration {
  return { name, script, hash: createHash('sha256').update(script).digest('hex') }
}
