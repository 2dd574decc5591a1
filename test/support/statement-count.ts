/** Counts the statements that a database runs through the query builder, inside and outside transactions. */
import type { KyselyPlugin } from 'kysely'
import type { DatabaseHandle } from '../../src/server/database/database.ts'

export type StatementCount = {
  readonly database: DatabaseHandle
  /** Returns the number of statements that `work` ran. */
  readonly during: (work: () => Promise<unknown>) => Promise<number>
}

export function countStatements(database: DatabaseHandle): StatementCount {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      count += 1
      return result
    },
  }
  return {
    database: { ...database, db: database.db.withPlugin(plugin) },
    async during(work) {
      const before = count
      await work()
      return count - before
    },
  }
}
