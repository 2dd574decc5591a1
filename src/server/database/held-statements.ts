/**
 * Delays a transaction's begin until its first statement, and fire-and-forget statements until the next
 * one or the commit. So a transaction with three statements has three round trips, not five.
 */
import type { QueryConfig, QueryResult } from 'pg'
import type { Connection } from './pool.ts'
import type { NamedStatement } from './pipelined-query.ts'

type Ask = (
  statement: string | QueryConfig,
  options: { readonly isUnread: boolean },
) => Promise<QueryResult>

const begin = { name: 'begin', text: 'begin' }
const commit = { name: 'commit', text: 'commit' }
/** Delayed statements are kept in memory, so their number is bounded. */
const maxHeld = 8

export function holdStatements(connection: Pick<Connection, 'query'>): Ask {
  let isInTransaction = false
  let held: NamedStatement[] = []
  return async (statement, { isUnread }) => {
    if (statement === 'begin') {
      isInTransaction = true
      held = [begin]
      return unsent('BEGIN')
    }
    if (!isInTransaction) return connection.query(statement)
    const before = held
    const isBegun = before[0] !== begin
    held = []
    if (statement === 'rollback') {
      isInTransaction = false
      return isBegun ? connection.query(statement) : unsent('ROLLBACK')
    }
    if (statement === 'commit') {
      isInTransaction = false
      return isBegun || before.length > 1 ? connection.query(commit, before) : unsent('COMMIT')
    }
    if (isUnread && isNamed(statement) && before.length < maxHeld) {
      held = [...before, statement]
      return unsent('')
    }
    return connection.query(statement, before)
  }
}

function isNamed(statement: string | QueryConfig): statement is NamedStatement {
  return typeof statement !== 'string' && statement.name !== undefined
}

function unsent(command: string): QueryResult {
  return { command, rowCount: 0, oid: 0, fields: [], rows: [] }
}
