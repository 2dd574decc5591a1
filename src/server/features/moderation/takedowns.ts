/**
 * Putting a thing out of sight with all that was made of it, and bringing it back. Each function
 * belongs into the transaction of the report or the decision that asks for it.
 */
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import { ownFileAt } from '../files/files.ts'
import { wasDismissedSince } from './report-trust-queries.ts'
import type { Subject, Takedown } from './takedown-queries.ts'
import {
  deleteHidden,
  findShownAddresses,
  findTakedown,
  findTakedownById,
  holdSubject,
  holdTakedowns,
  insertHiddenFiles,
  insertHiddenSessions,
  insertTakedown,
  setTakedown,
} from './takedown-queries.ts'

const dismissalMs = 30 * 24 * 3600 * 1000

/** For so long a dismissal keeps reports from hiding anything by themselves. */
export function dismissalsCountSince(ctx: Context): Date {
  return new Date(ctx.now().getTime() - dismissalMs)
}

/** Because of a report. Null where a dismissal has made the thing immune for a while. */
export async function hide(
  ctx: Context,
  subject: Subject,
  options: { readonly isQuarantine: boolean },
): Promise<(Takedown & { readonly isNew: boolean }) | null> {
  const existing = await hold(ctx, subject, null)
  if (existing) {
    if (options.isQuarantine && !existing.isQuarantine)
      await setTakedown(ctx, existing.id, { isQuarantine: true })
    return { ...existing, isNew: false }
  }
  if (await wasDismissedSince(ctx, subject, dismissalsCountSince(ctx))) return null
  const begun = await begin(ctx, subject, { state: 'hidden', ...options })
  return { ...begun, isNew: true }
}

/** Because somebody decided so. */
export async function remove(
  ctx: Context,
  subject: Subject | null,
  existing: Takedown | undefined,
  options: { readonly isQuarantine: boolean },
): Promise<void> {
  if (existing)
    await setTakedown(ctx, existing.id, {
      state: 'removed',
      decidedAt: ctx.now(),
      ...(options.isQuarantine ? options : {}),
    })
  else if (subject) await begin(ctx, subject, { state: 'removed', ...options })
}

/** Everything is again as it was; what was removed by an earlier decision stays removed. */
export async function lift(ctx: Context, existing: Takedown | undefined): Promise<void> {
  if (existing?.state !== 'hidden') return
  await setTakedown(ctx, existing.id, { state: 'lifted', decidedAt: ctx.now() })
  await deleteHidden(ctx, existing.id)
}

/**
 * The takedown in force, which nobody else changes until the transaction ends. The thing is held
 * first, then the lock that whoever makes files of others waits for: in that order, because they hold
 * their things first as well.
 */
export async function hold(
  ctx: Context,
  subject: Subject | null,
  takedownId: number | null,
): Promise<Takedown | undefined> {
  const isThere = subject !== null && (await holdSubject(ctx, subject))
  await holdTakedowns(ctx)
  if (isThere) return findTakedown(ctx, subject)
  if (takedownId === null) throw problem.notFound()
  // The thing itself has been deleted; what others have made of it is still there.
  return findTakedownById(ctx, takedownId)
}

async function begin(
  ctx: Context,
  subject: Subject,
  options: { readonly state: 'hidden' | 'removed'; readonly isQuarantine: boolean },
): Promise<Takedown> {
  const takedown = await insertTakedown(ctx, subject, options)
  await insertHiddenSessions(ctx, takedown.id, subject)
  const addresses = await findShownAddresses(ctx, subject)
  const named = addresses.flatMap((address) => ownFileAt(ctx, address) ?? [])
  await insertHiddenFiles(ctx, takedown.id, subject, named)
  return takedown
}
