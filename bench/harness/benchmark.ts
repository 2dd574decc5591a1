/** What one file in `benchmarks/` says: the rows that all contenders share, and what is timed. */
import type { Scripts } from '../../src/server/platform/database.ts'

export type Benchmark = {
  /** Fills the migrated database, once for all contenders. */
  readonly seed: (scripts: Scripts) => Promise<void>
  readonly requests: readonly TimedRequest[]
  /** Ours with an endpoint that it does not ship; left out: the service as it is. */
  readonly ours?: string
}

export type TimedRequest = {
  /** As the table shows it, such as 'GET /api/tags'. */
  readonly name: string
  readonly connections: number
  /** Every connection goes round these, each from another place in the list. */
  readonly calls: readonly [Call, ...Call[]]
  /** What of an answer has to be equal, where it holds ids or times of its own; left out: all of it. */
  readonly comparable?: (body: unknown) => unknown
}

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}
