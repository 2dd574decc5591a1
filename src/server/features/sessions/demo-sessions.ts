/** The sessions that a fresh development site begins with: there is something to play at once. */
import { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { giveSession } from './sessions.ts'

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

export async function giveDemoSessions(ctx: Context, userId: string): Promise<void> {
  for (const session of openingSessions)
    await giveSession(ctx, userId, api.sessions.create.body.parse(session))
}
