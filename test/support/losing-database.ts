/** A database that loses its connection at one statement and works again at the next. */
import type { KyselyPlugin } from 'kysely'
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import { DatabaseUnreachable } from '../../src/server/database/outage.ts'

export type LosingDatabase = {
  readonly database: DatabaseHandle
  /**
   * Runs the work and loses the statement with that number, counted from 1. Resolves to false if there were
   * fewer.
   */
  readonly losing: (statement: number, work: () => Promise<unknown>) => Promise<boolean>
}

export function createLosingDatabase(database: DatabaseHandle): LosingDatabase {
  let left = Infinity
  const count = () => {
    left -= 1
    if (left === 0) throw new DatabaseUnreachable('PostgreSQL cannot be used: connection lost')
  }
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      count()
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    database: {
      ...database,
      db: database.db.withPlugin(plugin),
      async query(text, parameters) {
        count()
        return database.query(text, parameters)
      },
    },
    async losing(statement, work) {
      left = statement
      try {
        await work()
        return left <= 0
      } finally {
        left = Infinity
      }
    },
  }
}
