/** Processor time of each test file, as the test processes recorded it under `--profile`. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'

export type FileCost = {
  /** Processor time of the test's own process, which the service under test shares. */
  readonly nodeMs: number
  /** Processor time of browsers and of services and commands that run as processes. */
  readonly childrenMs: number
  /** Time in which PostgreSQL worked on statements of this file's databases. */
  readonly postgresMs: number
}

type Recorded = FileCost & { readonly project: string; readonly file: string }

const folder = new URL('../../.cache/test-costs/', import.meta.url)

export function recordFileCost(cost: Recorded): void {
  mkdirSync(folder, { recursive: true })
  appendFileSync(new URL(`${process.pid}.jsonl`, folder), `${JSON.stringify(cost)}\n`)
}

/** By project and path. */
export function readFileCosts(): Map<string, FileCost> {
  if (!existsSync(folder)) return new Map()
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(new URL(name, folder), 'utf8').trim().split('\n'),
  )
  return new Map(
    lines.map((line) => {
      const cost = JSON.parse(line) as Recorded
      return [`${cost.project} ${cost.file}`, cost]
    }),
  )
}
