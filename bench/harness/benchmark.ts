/** What one file in `benchmarks/` says: the rows that all contenders share, and what is timed. */
import type { Scripts } from '../../src/server/database/database.ts'
import type { FormOfOurs } from './contenders.ts'

export type Benchmark = {
  /** Fills the migrated database, once for all contenders. */
  readonly seed: (scripts: Scripts) => Promise<void>
  /** Puts files into the folder that all contenders share; ours has its own in `storage/`. */
  readonly place?: (folder: string) => Promise<void>
  readonly requests: readonly TimedRequest[]
  /** Left out: the service as it is shipped. */
  readonly ours?: FormOfOurs
}

export type TimedRequest = {
  /** As the table shows it, such as 'GET /api/tags'. */
  readonly name: string
  readonly connections: number
  /** Changes the rows once the requests before it have been timed. */
  readonly prepare?: (scripts: Scripts) => Promise<void>
  /** Warmed up with so many answers, or for a minute: the compiler goes by calls, not by seconds. */
  readonly warmUpAnswers?: number
  /** A round of it takes so long at least, where one answer takes a while. */
  readonly leastSeconds?: number
  /** No more than so many in a second: how long one answer takes, not how many there can be. */
  readonly perSecond?: number
  /** Sent without a pause all the while, and not counted. */
  readonly beside?: Pick<TimedRequest, 'connections' | 'calls'>
  /** Clears up behind every round, in the folder where all contenders keep their files. */
  readonly tidy?: (folder: string) => Promise<void>
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
