/**
 * The SQL that adds jobs: pg-boss's own insert, changed to compute each job's rank as its priority. The
 * insert is read from pg-boss once per queue.
 */
import type { PgBoss } from 'pg-boss'
import type { AccountScope } from '../platform/concurrency/account-scope.ts'
import { nextPriority } from './rank-queries.ts'

export type Promises = {
  /** Returns the statement. Its parameters: the jobs as a JSON array, the queue, the account. */
  statement(scope: AccountScope): string
  /**
   * Returns the same as a part of a statement, with a job for each row of `asked`, an earlier query that
   * selects each payload as `data`. Its parameters: the account, its tier, the queue. The statement's final
   * query must join `workers_notified`, which is one row: PostgreSQL skips a query that nothing reads.
   */
  part(scope: AccountScope): string
}

export async function readPromises(boss: PgBoss, queue: string): Promise<Promises> {
  const insert = await readInsert(boss, queue)
  return {
    statement: inBothRanks((scope) => ranked(insert, scope, { queue: '$2', account: '$3' })),
    part: inBothRanks((scope) => partOf(ranked(insert, scope, { queue: '$3', account: '$1' }))),
  }
}

async function readInsert(boss: PgBoss, queue: string): Promise<string> {
  let insert = ''
  const reader = {
    async executeSql(text: string) {
      insert = text
      return { rows: [] }
    },
  }
  await boss.insert(queue, [{}], { db: reader })
  return insert
}

/** Builds the SQL for both ranges of ranks: work that runs last has its own. */
function inBothRanks(write: (scope: AccountScope) => string): (scope: AccountScope) => string {
  const usual = write({ account: '' })
  const last = write({ account: '', isLast: true })
  return ({ isLast }) => (isLast ? last : usual)
}

function ranked(
  insert: string,
  scope: AccountScope,
  parameters: { queue: string; account: string },
): string {
  const [, table] = found(insert, /INSERT INTO (\S+) \(/)
  const priority = nextPriority(scope, { ...parameters, table })
  return replaced(
    insert,
    /COALESCE\(priority, 0\) as priority/,
    `COALESCE(priority, 0) + ${priority} as priority`,
  )
}

/**
 * Converts the insert to a part of a statement. It selects the columns directly, which is faster than
 * pg-boss's parsing of jobs from JSON.
 */
function partOf(insert: string): string {
  const given = /json_to_recordset\(\$1::text::json\) as x \(([^)]*)\)/
  const [, columns] = found(insert, given)
  const jobs = `(select ${columns.split(',').map(columnOf).join(', ')} from asked) x`
  const named = replaced(replaced(insert, given, jobs), /^\s*WITH /, '')
  const queries = replaced(named, /SELECT id FROM ins WHERE .*$/s, '')
  return `${queries}, workers_notified as (select count(*) from notified)`
}

const said: Readonly<Record<string, string>> = {
  data: 'asked.data',
  priority: '1 - row_number() over ()',
  '"groupId"': '$1',
  '"groupTier"': '$2',
}

function columnOf(column: string): string {
  const [, name, type] = found(column, /^\s*(\S+)\s+(\S+)\s*$/)
  return `(${said[name] ?? 'null'})::${type} as ${name}`
}

function replaced(text: string, what: RegExp, by: string): string {
  found(text, what)
  return text.replace(what, () => by)
}

/** Returns the match and its groups, or an empty text for a group that the expression does not have. */
function found(text: string, what: RegExp): [string, string, string] {
  const match = what.exec(text)
  if (!match) throw new Error('this version of pg-boss inserts jobs in a different way')
  return [match[0], match[1] ?? '', match[2] ?? '']
}
