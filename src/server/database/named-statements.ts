/**
 * Gives each statement a name made from its text, so that a connection parses and plans it once. Behind
 * a pooler, which gives each transaction another connection, statements have no names.
 */
import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Kysely, PostgresDialect } from 'kysely'
import type { QueryConfig } from 'pg'
import type { DatabaseHandle } from './database.ts'
import { holdStatements } from './held-statements.ts'
import type { ConnectionPool } from './pool.ts'
import { isUnread } from './statement.ts'
import type { Tables } from './tables.ts'

/** The two interfaces through which features query. */
export function statementsOn(
  pool: ConnectionPool,
  { isPooled }: { isPooled: boolean },
): Pick<DatabaseHandle, 'db' | 'query'> {
  const named = (text: string, parameters: readonly unknown[]) => ({
    name: isPooled ? undefined : nameOf(text),
    text,
    values: [...parameters],
  })
  return {
    db: new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: asKyselyPool(pool, named, { isPooled }) }),
    }),
    query: async <Row>(text: string, parameters: readonly unknown[]) =>
      (await pool.run(named(text, parameters))).rows as Row[],
  }
}

/** Kysely sees an ordinary pool. */
function asKyselyPool(
  pool: ConnectionPool,
  named: (text: string, parameters: readonly unknown[]) => QueryConfig,
  { isPooled }: { isPooled: boolean },
): PostgresPool {
  return {
    options: {},
    end: async () => {},
    connect: async () => {
      const connection = await pool.checkOut()
      // Only named statements can be pipelined.
      const held = isPooled ? null : holdStatements(connection)
      const query = (text: string, parameters: readonly unknown[]) => {
        const statement =
          parameters.length > 0 || isPlainRead(text) ? named(text, parameters) : text
        return held
          ? held(statement, { isUnread: isUnread(parameters) })
          : connection.query(statement)
      }
      return {
        // `pg` types the command of a result as string, Kysely as a union.
        query: query as unknown as PostgresPoolClient['query'],
        // A connection whose rollback failed may still be in its transaction.
        release: (isBroken) => connection.release(isBroken),
      }
    },
  }
}

/** The bound on names, so that statements that differ each time do not fill memory here or on the server. */
const maxNamed = 5000
const maxRepeated = 300

/**
 * For statements of libraries, such as the job queue: a text gets a name when it is seen a second time.
 * Workers poll for jobs with the same text every few seconds, and planning it takes ten times as long as
 * running it.
 */
export function createRepeatNames(): (text: string) => string | undefined {
  const known = new Set<string>()
  return (text) => {
    if (isScript(text)) return undefined
    if (known.has(text)) return nameOf(text)
    if (known.size < maxRepeated) known.add(text)
    return undefined
  }
}

function isPlainRead(sql: string): boolean {
  return /^\s*select\b/.test(sql) && !isScript(sql)
}

/** A script of several statements cannot be prepared. */
function isScript(sql: string): boolean {
  return sql.includes(';')
}

const nameOf = createNames()

/** A text always has the same name. Past the bound, new texts have none. */
export function createNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  return (sql) => {
    let name = names.get(sql)
    if (name === undefined && names.size < maxNamed) {
      name = createHash('sha256').update(sql).digest('base64url').slice(0, 24)
      names.set(sql, name)
    }
    return name
  }
}
