/**
 * Plans that a migration has made stale. A connection plans a named statement once. If a table then
 * changes so that the statement would return other columns or types, PostgreSQL refuses the statement
 * for the rest of the connection's life.
 */
import type { PoolClient } from 'pg'
import { isCausedBy } from '../platform/outage.ts'

/** Looks at the routine and not at the message, which PostgreSQL translates. */
export function isStalePlan(error: unknown): boolean {
  return isCausedBy(
    error,
    (cause) => 'routine' in cause && cause.routine === 'RevalidateCachedQuery',
  )
}

/** Makes the driver prepare every statement again. On the server, `deallocate all` drops them. */
export function forgetPrepared(client: PoolClient): void {
  const prepared = preparedStatements(client)
  for (const name of Object.keys(prepared)) delete prepared[name]
}

/** The prepared statements of a connection, by name. */
export function preparedStatements(client: PoolClient): Record<string, string> {
  // Every client has this property; the driver's types leave it out.
  const { connection } = client as unknown as {
    connection?: { parsedStatements?: Record<string, string> }
  }
  return connection?.parsedStatements ?? {}
}
