/**
 * Paints the files that a visitor of a fresh site sees first, before they are requested: the thumbnails of
 * the covers, then some first slides of the seeded sessions, then the thumbnails of those slides.
 */
import type { Log } from '../../src/server/platform/log.ts'
import { postsOfSubfeed, sortPosts } from '../feed/catalogue.ts'
import type { Painter } from '../painting/painter.ts'
import type { PaintedFile, Painting } from '../painting/painting.ts'
import { nameOf } from '../painting/painting.ts'
import { openingSessions, publishedSessions } from './seeded-sessions.ts'

/**
 * Number of slides of the first session to paint ahead. The service paints the next ones while a visitor
 * looks at these. The other sessions are one more click away, so their slides are painted on request.
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
      // Ignore this error: at the end of the node the painter is closed.
      if (signal.aborted) return
      log.warn({ event: 'demo_painting_failed', err: error, file: nameOf(file) }, 'not painted')
    }
  }
}

/**
 * Returns only still pictures as whole files: one film takes as long as all other files together. A visitor
 * sees the whole files or publishing copies them. Their thumbnails are last, because the painter makes them
 * from the whole files.
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

/** Filling a session takes its slides from the subfeeds in turn, and the first slide is the cover. */
function paintingsOf({ subfeeds }: { readonly subfeeds: string }): Painting[] {
  const lists = subfeeds
    .split(', ')
    .map((name) => sortPosts(postsOfSubfeed(name), 'hot').flatMap(({ media }) => media.slice(0, 1)))
  return inTurns(lists)
}

/** Returns the first item of every list, then the second item of every list, and so on. */
function inTurns(lists: readonly (readonly Painting[])[]): Painting[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  ).flat()
}
