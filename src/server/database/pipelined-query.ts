/**
 * Pipelines statements: they reach the server in one write and are answered in one. In a short
 * transaction the round trip of each statement costs more than the statement itself.
 */
import type { Connection as Wire, PoolClient, QueryConfig, QueryResult } from 'pg'
import { Query } from 'pg'
import { preparedStatements } from './stale-plans.ts'

export type NamedStatement = QueryConfig & { readonly name: string }

type Answered = (error: Error | null, result: QueryResult) => void

/** The parts of the driver's query class that its types leave out. */
type DriverQuery = {
  submit(wire: Wire): unknown
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, wire: Wire): void
}

const DriverQuery = Query as unknown as new (
  statement: string | QueryConfig,
  answered?: Answered,
) => DriverQuery

/**
 * A statement and the ones sent before it. If one fails, the server skips the rest. The answers to the
 * earlier ones are ignored, and the connection must have prepared them already.
 */
export class PipelinedQuery extends DriverQuery {
  readonly #before: readonly NamedStatement[]
  #unanswered: number

  constructor(before: readonly NamedStatement[], statement: QueryConfig, answered: Answered) {
    super(statement, answered)
    this.#before = before
    this.#unanswered = before.length
  }

  override submit(wire: Wire): unknown {
    wire.stream.cork()
    try {
      for (const statement of this.#before) new DriverQuery(statement).submit(unfinished(wire))
      return super.submit(wire)
    } finally {
      wire.stream.uncork()
    }
  }

  override handleDataRow(message: unknown): void {
    if (this.#unanswered === 0) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#unanswered > 0) this.#unanswered -= 1
    else super.handleCommandComplete(message, wire)
  }
}

const unfinishedWires = new WeakMap<Wire, Wire>()

/** The same connection without Sync, after which the server answers: the last statement sends it. */
function unfinished(wire: Wire): Wire {
  let same = unfinishedWires.get(wire)
  if (!same) {
    const nothing = { value: () => {} }
    same = Object.create(wire, { describe: nothing, sync: nothing }) as Wire
    unfinishedWires.set(wire, same)
  }
  return same
}

/** True when a connection has prepared the statement. */
export function isPrepared(client: PoolClient, { name }: NamedStatement): boolean {
  return preparedStatements(client)[name] !== undefined
}
