/**
 * The sessions of a fresh development site, so that a visitor can play some at once and see some that others
 * have published.
 */
import { api } from '../../src/contract/api.ts'
import type { Context } from '../../src/server/context.ts'
import { createFreeSession, setShared } from '../../src/server/features/sessions/sessions.ts'

// A library lists the newest session first, so the best one is last here.
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

// Publishing copies every slide, and copying paints it. So these sessions have few slides, each of a
// different kind, and three of the slides are also the first slides of the sessions above.
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

/** Runs in the transaction that creates the account. */
export async function publishSeededSessions(ctx: Context, userId: string): Promise<void> {
  for (const session of publishedSessions) {
    const made = await createFreeSession(ctx, userId, api.sessions.create.body.parse(session))
    await setShared(ctx, made.id, { isShared: true })
    await ctx.publisher.publishSession(ctx, { ageVerified: true }, made, { saidSafe: true })
  }
}

/** Creates only the best of these sessions. Its first pictures are painted ahead. */
export async function giveOpeningSession(ctx: Context, userId: string): Promise<void> {
  const opening = openingSessions.at(-1)
  await createFreeSession(
    ctx,
    userId,
    api.sessions.create.body.parse({ ...opening, isFavorite: false }),
  )
}

export async function giveSeededSessions(ctx: Context, userId: string): Promise<void> {
  for (const session of openingSessions)
    await createFreeSession(ctx, userId, api.sessions.create.body.parse(session))
}
