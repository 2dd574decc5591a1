/**
 * One statement made of several parts. Each feature writes the part for its own tables and knows only the
 * names of the other parts' queries. Together they are atomic and take one round trip.
 */
import type { Context } from '../context.ts'
import { runStatement } from './statement.ts'

export type Part = {
  /** Named queries, `name as (…)`. Parameters are numbered from $1 in each part. */
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** `answer` selects from the named queries; `Row` is the type of its rows. */
export function runParts<Row>(
  ctx: Pick<Context, 'db' | 'query'>,
  parts: readonly Part[],
  answer: string,
): Promise<Row[]> {
  const parameters = parts.flatMap((part) => part.parameters)
  return runStatement<Row>(ctx, textOf(parts, answer), parameters)
}

type Known = { text?: string; readonly next: Map<string, Known> }

const known: Known = { next: new Map() }

/** Caches the joined text: the same few parts are joined each time. */
function textOf(parts: readonly Part[], answer: string): string {
  let node = known
  for (const { text } of parts) node = nodeAfter(node, text)
  node = nodeAfter(node, answer)
  node.text ??= `with ${numbered(parts).join(', ')} ${answer}`
  return node.text
}

function nodeAfter({ next }: Known, text: string): Known {
  let node = next.get(text)
  if (!node) next.set(text, (node = { next: new Map() }))
  return node
}

function numbered(parts: readonly Part[]): string[] {
  let before = 0
  return parts.map(({ text, parameters }) => {
    const first = before
    before += parameters.length
    return text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${first + Number(number)}`)
  })
}
