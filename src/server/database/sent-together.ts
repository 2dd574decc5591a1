/**
 * Statements that reach the server in one write and are answered in one: what costs a node most of a
 * short transaction is not what its statements say but sending each of them by itself.
 */
import type { Connection as Wire, PoolClient, QueryConfig, QueryResult } from 'pg'
import { Query } from 'pg'

export type NamedStatement = QueryConfig & { readonly name: string }

type Answered = (error: Error | null, result: QueryResult) => void

/** What the driver's query has; its types do not say all of it. */
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
 * A statement with those that go before it. Where one fails the server skips the rest. The answers to
 * those before are not read, and the connection must have prepared them already.
 */
export class SentTogether extends DriverQuery {
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

/** The same wire without the word after which the server answers: that comes with the last statement. */
function unfinished(wire: Wire): Wire {
  let same = unfinishedWires.get(wire)
  if (!same) {
    const nothing = { value: () => {} }
    same = Object.create(wire, { describe: nothing, sync: nothing }) as Wire
    unfinishedWires.set(wire, same)
  }
  return same
}

/** Whether a connection knows the statement by its name. */
export function isPrepared(client: PoolClient, { name }: NamedStatement): boolean {
  // The driver has it on every client; its types do not say so.
  const { connection } = client as unknown as {
    connection?: { parsedStatements?: Record<string, string> }
  }
  return connection?.parsedStatements?.[name] !== undefined
}
