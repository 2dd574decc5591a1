/**
 * The sessions that a fresh development site begins with: there is something to play at once, and
 * something that others have published.
 */
import { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { publishSession } from '../community/publication.ts'
import { giveSession } from './session-endpoints.ts'
import { setShared } from './snapshot-queries.ts'

// The newest stands first in a library, so the best comes last.
const openingSessions = [
  {
    title: 'The lanternist’s cabinet',
    subfeeds: 'chromatropes, paper_theatre, imaginarymaps',
    transition: 'flip',
    intervalMin: 3,
    intervalMax: 6,
  },
  {
    title: 'Lights in the dark',
    subfeeds: 'nightcities, lanternfestival, deepsky',
    transition: 'zoom',
    intervalMin: 4,
    intervalMax: 8,
  },
  {
    title: 'Slow light',
    subfeeds: 'mountainlight, slowwater, northernlights',
    transition: 'fade',
    intervalMin: 6,
    intervalMax: 10,
    isFavorite: true,
    tags: ['landscape', 'nature', 'illustration'],
  },
]

const publishedSessions = [
  {
    title: 'Harbours before the tide',
    subfeeds: 'slowwater, mountainlight',
    transition: 'slide',
    intervalMin: 5,
    intervalMax: 8,
    tags: ['landscape', 'illustration'],
  },
  {
    title: 'Rooms with a window',
    subfeeds: 'sunlitrooms, paper_theatre',
    transition: 'fade',
    intervalMin: 5,
    intervalMax: 9,
    tags: ['illustration'],
  },
  {
    title: 'Counting stars',
    subfeeds: 'deepsky, northernlights',
    transition: 'zoom',
    intervalMin: 4,
    intervalMax: 7,
    tags: ['nature', 'night'],
  },
]

/** In the transaction that makes the account. */
export async function publishDemoSessions(ctx: Context, userId: string): Promise<void> {
  for (const session of publishedSessions) {
    const made = await giveSession(ctx, userId, api.sessions.create.body.parse(session))
    await setShared(ctx, made.id, { isShared: true })
    await publishSession(ctx, { ageVerified: true }, made, { saidSafe: true })
  }
}

export async function giveDemoSessions(ctx: Context, userId: string): Promise<void> {
  for (const session of openingSessions)
    await giveSession(ctx, userId, api.sessions.create.body.parse(session))
}
