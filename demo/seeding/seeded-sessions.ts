/**
 * The sessions that a fresh development site begins with: there is something to play at once, and
 * something that others have published.
 */
import { api } from '../../src/contract/api.ts'
import type { Context } from '../../src/server/context.ts'
import { giveSession, setShared } from '../../src/server/features/sessions/sessions.ts'

// The newest stands first in a library, so the best comes last.
export const openingSessions = [
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

// Publishing copies every slide, which paints it. So these have few slides, each of another kind, and
// three of them are the first of the sessions above.
export const publishedSessions = [
  {
    title: 'Harbours before the tide',
    subfeeds: 'slowwater_best, mountainlight_best, fullmoon_best',
    transition: 'slide',
    intervalMin: 5,
    intervalMax: 8,
    tags: ['landscape', 'illustration'],
  },
  {
    title: 'Paper and glass',
    subfeeds: 'paper_theatre_best, chromatropes_best, imaginarymaps_best',
    transition: 'fade',
    intervalMin: 5,
    intervalMax: 9,
    tags: ['illustration'],
  },
  {
    title: 'Counting stars',
    subfeeds: 'deepsky_best, northernlights_best, nightcities_best',
    transition: 'zoom',
    intervalMin: 4,
    intervalMax: 7,
    tags: ['nature', 'night'],
  },
]

/** In the transaction that makes the account. */
export async function publishSeededSessions(ctx: Context, userId: string): Promise<void> {
  for (const session of publishedSessions) {
    const made = await giveSession(ctx, userId, api.sessions.create.body.parse(session))
    await setShared(ctx, made.id, { isShared: true })
    await ctx.publisher.publishSession(ctx, { ageVerified: true }, made, { saidSafe: true })
  }
}

/** The best of them, of which the first pictures are painted before anybody asks. */
export async function giveOpeningSession(ctx: Context, userId: string): Promise<void> {
  const opening = openingSessions.at(-1)
  await giveSession(ctx, userId, api.sessions.create.body.parse({ ...opening, isFavorite: false }))
}

export async function giveSeededSessions(ctx: Context, userId: string): Promise<void> {
  for (const session of openingSessions)
    await giveSession(ctx, userId, api.sessions.create.body.parse(session))
}
