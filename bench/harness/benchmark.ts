/** The content of a file in `benchmarks/`: the rows that all contenders share, and the timed requests. */
import type { Scripts } from '../../src/server/database/database.ts'
import type { FormOfOurs } from './contenders.ts'

export type Benchmark = {
  /** Fills the migrated database, once for all contenders. */
  readonly seed: (scripts: Scripts) => Promise<void>
  /** Puts files into the folder that all contenders share. Ours has its own in `storage/`. */
  readonly place?: (folder: string) => Promise<void>
  readonly requests: readonly TimedRequest[]
  /** The variant of our service. Default: the one that is shipped. */
  readonly ours?: FormOfOurs
}

export type TimedRequest = {
  /** The name in the table, such as 'GET /api/tags'. */
  readonly name: string
  readonly connections: number
  /** Changes the rows after the previous requests have been timed. */
  readonly prepare?: (scripts: Scripts) => Promise<void>
  /**
   * The number of warm-up requests, which end after a minute at most. It is a count and not a duration,
   * because V8 optimises a function after a number of calls.
   */
  readonly warmUpAnswers?: number
  /** The minimum duration of a round, for slow answers. */
  readonly minSeconds?: number
  /** If set, limits the requests per second. The figures then show latency instead of throughput. */
  readonly perSecond?: number
  /** A load that is sent without pauses at the same time, and not measured. */
  readonly beside?: Pick<TimedRequest, 'connections' | 'calls'>
  /** Cleans up after every round, in the folder where all contenders store their files. */
  readonly tidy?: (folder: string) => Promise<void>
  /** The calls that each connection repeats in this order. Each starts at another position. */
  readonly calls: readonly [Call, ...Call[]]
  /** Returns the part of an answer that must be equal, if it contains ids or times. Default: all of it. */
  readonly comparable?: (body: unknown) => unknown
}

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}
