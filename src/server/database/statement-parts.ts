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
  let place = known
  for (const { text } of parts) place = placeAfter(place, text)
  place = placeAfter(place, answer)
  place.text ??= `with ${numbered(parts).join(', ')} ${answer}`
  return place.text
}

function placeAfter({ next }: Known, text: string): Known {
  let place = next.get(text)
  if (!place) next.set(text, (place = { next: new Map() }))
  return place
}

function numbered(parts: readonly Part[]): string[] {
  let before = 0
  return parts.map(({ text, parameters }) => {
    const first = before
    before += parameters.length
    return text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${first + Number(number)}`)
  })
}
