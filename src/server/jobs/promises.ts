/**
 * The statements that promise jobs: pg-boss's own insert, with the rank of each job in the place of its
 * priority. pg-boss is asked for its words once for each queue.
 */
import type { PgBoss } from 'pg-boss'
import type { AccountScope } from '../platform/concurrency/account-scope.ts'
import { nextPriority } from './rank-queries.ts'

export type Promises = {
  /** Its parameters: the jobs as a JSON array, the queue, the account. */
  statement(scope: AccountScope): string
  /**
   * The same as a part of a statement, with a job for each row of `asked`, a query before it that
   * selects each payload as `data`. Its parameters: the account, its tier, the queue. The statement's
   * answer joins `workers_told`, which is one row: PostgreSQL leaves out a query that nothing reads.
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

/** What comes last has ranks of its own, and so a text of its own. */
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

/** pg-boss reads jobs from JSON, which takes longer than to name each of its columns. */
function partOf(insert: string): string {
  const given = /json_to_recordset\(\$1::text::json\) as x \(([^)]*)\)/
  const [, columns] = found(insert, given)
  const jobs = `(select ${columns.split(',').map(columnOf).join(', ')} from asked) x`
  const named = replaced(replaced(insert, given, jobs), /^\s*WITH /, '')
  const queries = replaced(named, /SELECT id FROM ins WHERE .*$/s, '')
  return `${queries}, workers_told as (select count(*) from notified)`
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

/** The match and its groups; an empty text for a group that the expression does not have. */
function found(text: string, what: RegExp): [string, string, string] {
  const match = what.exec(text)
  if (!match) throw new Error('pg-boss inserts jobs in another way now')
  return [match[0], match[1] ?? '', match[2] ?? '']
}
