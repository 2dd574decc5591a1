/**
 * The plans of all statements from PostgreSQL's log (auto_explain), including triggers, foreign keys and the
 * queue's statements, and a rule for them: no full scan of a large table, and hardly more rows read than
 * returned.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Visit } from './size-visits.ts'

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  /** Includes its child nodes. */
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly Plan[]
}

export type Told = {
  readonly visit: string
  readonly text: string
  readonly plan: Plan
}

/** Settings that let a server log plans to its error stream. */
export const tellingPlans = [
  'shared_preload_libraries=auto_explain',
  'auto_explain.log_analyze=on',
  'auto_explain.log_timing=off',
  'auto_explain.log_buffers=on',
  'auto_explain.log_nested_statements=on',
  'auto_explain.log_format=json',
  'log_line_prefix=',
  'jit=off',
]

const mark = 'visit: '
const settleTimeoutMs = 10_000

/** Collects the plans of a server with these settings. */
export function collectPlans() {
  let log = ''
  return {
    onLog: (text: string) => void (log += text),
    /** Turns the log on or off for the later connections of one database. */
    tell: (client: Client, isTold: boolean) =>
      client.query(`do $$ begin execute format(
        'alter database %I set auto_explain.log_min_duration = ${isTold ? 0 : -1}',
        current_database()); end $$; set auto_explain.log_min_duration = ${isTold ? 0 : -1}`),
    /** Runs the visits in order and returns the plans of each. */
    async during(client: Client, visits: readonly Visit[]): Promise<Told[]> {
      log = ''
      for (const [name, visit] of visits) {
        await client.query(`select '${mark}${name}'`)
        await visit()
      }
      await client.query(`select '${mark}end'`)
      const deadlineMs = performance.now() + settleTimeoutMs
      while (!log.includes(`${mark}end`) && performance.now() < deadlineMs) await sleep(20)
      return readPlans(log)
    },
  }
}

function readPlans(log: string): Told[] {
  const found: Told[] = []
  let visit = ''
  for (const piece of log.split(/^LOG: {2}duration: [\d.]+ ms {2}plan:\n/m).slice(1)) {
    const body = /^(?:\t.*\n?)+/.exec(piece)?.[0]
    if (!body) continue
    // PostgreSQL's documented format.
    const told = JSON.parse(body) as { 'Query Text': string; Plan: Plan }
    const begun = /^select 'visit: (.*)'$/.exec(told['Query Text'])?.[1]
    if (begun === undefined) found.push({ visit, text: told['Query Text'], plan: told.Plan })
    else visit = begun
  }
  return found
}

export type Fault = { readonly visit: string; readonly fault: string; readonly text: string }

/** Rows that a scan may discard for free, and that a statement may read for free. */
const rowsForFree = 500
const rowsOfStatementForFree = 5000
const maxReadPerKept = 10

/** Returns the plans that break the rule. `largeTables` contains names. */
export function judgePlans(told: readonly Told[], largeTables: ReadonlySet<string>): Fault[] {
  return told.flatMap(({ visit, text, plan }) =>
    faultsOf(plan, largeTables).map((fault) => ({
      visit,
      fault,
      text: text.replace(/\s+/g, ' ').trim(),
    })),
  )
}

/** Returns the blocks that a statement used, from the cache or not. */
export function blocksOf({ plan }: Told): number {
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
}

function faultsOf(plan: Plan, largeTables: ReadonlySet<string>): string[] {
  const faults: string[] = []
  const scans = [...nodesOf(plan)].filter(
    (node) => node['Node Type'].endsWith('Scan') && node['Relation Name'] !== undefined,
  )
  for (const node of scans) {
    const name = node['Relation Name'] ?? ''
    const read = rowsReadBy(node)
    if (read <= rowsForFree) continue
    if (node['Node Type'] === 'Seq Scan' && largeTables.has(name))
      faults.push(`looks at all of ${name}: ${read} rows`)
    else if (read > maxReadPerKept * rowsKeptBy(node) + rowsForFree)
      faults.push(`reads ${read} rows of ${name} to keep ${rowsKeptBy(node)}`)
  }
  const read = scans.reduce((sum, node) => sum + rowsReadBy(node), 0)
  const given = rowsKeptBy(plan)
  if (faults.length === 0 && read > maxReadPerKept * given + rowsOfStatementForFree)
    faults.push(`reads ${read} rows to give ${given}`)
  return faults
}

function* nodesOf(plan: Plan): Iterable<Plan> {
  yield plan
  for (const child of plan.Plans ?? []) yield* nodesOf(child)
}

function rowsReadBy(node: Plan): number {
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  return Math.round(each * (node['Actual Loops'] ?? 1))
}

function rowsKeptBy(node: Plan): number {
  return Math.round((node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1))
}
