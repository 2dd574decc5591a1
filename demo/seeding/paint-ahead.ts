/**
 * What a visitor of a fresh site sees first is painted before it is asked for, and nothing else: the
 * covers of the seeded sessions, the small pictures beside them, then their first slides.
 */
import type { Log } from '../../src/server/platform/log.ts'
import { postsOfSubfeed, sortPosts } from '../feed/catalogue.ts'
import type { Painter } from '../painting/painter.ts'
import type { PaintedFile, Painting } from '../painting/painting.ts'
import { nameOf } from '../painting/painting.ts'
import { openingSessions, publishedSessions } from './seeded-sessions.ts'

/**
 * As many slides of the first session as somebody sees before the next can be painted. Of the others it
 * takes a click more, and their first is painted then.
 */
const firstSlides = 3

export async function paintAhead(
  painter: Painter,
  log: Pick<Log, 'warn'>,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  for (const file of filesSeenFirst()) {
    if (signal.aborted) return
    try {
      await painter.paint(file, 'background')
    } catch (error) {
      // A painter that is closed at the end of the node is no news.
      if (signal.aborted) return
      log.warn({ event: 'demo_painting_failed', err: error, file: nameOf(file) }, 'not painted')
    }
  }
}

/**
 * Nothing that moves: a film takes as long as all the others together. Of what is painted whole anyway,
 * because it is shown or copied, the small picture comes after it and is made from it.
 */
export function filesSeenFirst(): PaintedFile[] {
  const [first = [], ...others] = openingSessions.toReversed().map(paintingsOf)
  const covers = [first, ...others].flatMap((paintings) => paintings.slice(0, 1))
  const slides = first.slice(0, firstSlides).filter(({ type }) => type === 'image')
  const copied = publishedSessions.flatMap((session) => paintingsOf(session).slice(0, 1))
  const whole = new Set([...slides, ...copied])
  return [
    ...covers.map(small),
    ...[...whole].map((painting) => ({ painting, part: 'whole' as const })),
    ...[...whole].filter((painting) => !covers.includes(painting)).map(small),
  ]
}

function small(painting: Painting): PaintedFile {
  return { painting, part: 'thumbnail' }
}

/** A fill takes turns among the subfeeds, and the cover is its first slide. */
function paintingsOf({ subfeeds }: { readonly subfeeds: string }): Painting[] {
  const lists = subfeeds
    .split(', ')
    .map((name) => sortPosts(postsOfSubfeed(name), 'hot').flatMap(({ media }) => media.slice(0, 1)))
  return inTurns(lists)
}

/** Everyone's first, then everyone's second, and so on. */
function inTurns(lists: readonly (readonly Painting[])[]): Painting[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  ).flat()
}
