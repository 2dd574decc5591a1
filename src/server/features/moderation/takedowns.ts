/**
 * Putting a thing out of sight with all that was made of it, and bringing it back. Each function
 * belongs into the transaction of the report or the decision that asks for it.
 */
import type { Context } from '../../context.ts'
import type { Subject, Takedown } from './takedown-queries.ts'
import {
  deleteHidden,
  findTakedown,
  holdSubject,
  holdTakedowns,
  insertHiddenFiles,
  insertHiddenSessions,
  insertTakedown,
  setTakedown,
  wasLiftedSince,
} from './takedown-queries.ts'

const immunityMs = 30 * 24 * 3600 * 1000

/** Because of a report. Null where a dismissal has made the thing immune for a while. */
export async function hide(
  ctx: Context,
  subject: Subject,
  options: { readonly isQuarantine: boolean },
): Promise<(Takedown & { readonly isNew: boolean }) | null> {
  const existing = await hold(ctx, subject)
  if (existing) {
    if (options.isQuarantine && !existing.isQuarantine)
      await setTakedown(ctx, existing.id, { isQuarantine: true })
    return { ...existing, isNew: false }
  }
  if (await wasLiftedSince(ctx, subject, new Date(ctx.now().getTime() - immunityMs))) return null
  const begun = await begin(ctx, subject, { state: 'hidden', ...options })
  return { ...begun, isNew: true }
}

/** Because somebody decided so. */
export async function remove(
  ctx: Context,
  subject: Subject,
  options: { readonly isQuarantine: boolean },
): Promise<Takedown> {
  const existing = await hold(ctx, subject)
  if (!existing) return begin(ctx, subject, { state: 'removed', ...options })
  return setTakedown(ctx, existing.id, { state: 'removed', decidedAt: ctx.now() })
}

/** Everything is again as it was; what was removed by an earlier decision stays removed. */
export async function lift(ctx: Context, subject: Subject): Promise<void> {
  const existing = await hold(ctx, subject)
  if (existing?.state !== 'hidden') return
  await setTakedown(ctx, existing.id, { state: 'lifted', decidedAt: ctx.now() })
  await deleteHidden(ctx, existing.id)
}

/**
 * The takedown in force, which nobody else changes until the transaction ends. The thing is held
 * first, then the lock that whoever makes files of others waits for: in that order, because they hold
 * their things first as well.
 */
export async function hold(ctx: Context, subject: Subject): Promise<Takedown | undefined> {
  await holdSubject(ctx, subject)
  await holdTakedowns(ctx)
  return findTakedown(ctx, subject)
}

async function begin(
  ctx: Context,
  subject: Subject,
  options: { readonly state: 'hidden' | 'removed'; readonly isQuarantine: boolean },
): Promise<Takedown> {
  const takedown = await insertTakedown(ctx, subject, options)
  await insertHiddenSessions(ctx, takedown.id, subject)
  await insertHiddenFiles(ctx, takedown.id, subject)
  return takedown
}
