/**
 * One statement of several parts. Each part is written where its tables are at home and knows of the
 * others only the names of their queries; together they happen or do not, in one round trip.
 */
import type { Context } from '../context.ts'
import { runStatement } from './statement.ts'

export type Part = {
  /** Named queries, `name as (…)`. Their parameters count from $1, whatever comes before. */
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** `answer` selects from what the parts name. `Row` is what it selects. */
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

/** Parts are the same few texts each time, and so is what they make. */
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
