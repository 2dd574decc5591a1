/**
 * Hides a subject with everything derived from it, and restores it. Call each function in the
 * transaction of the report or the decision.
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
  lockSubject,
  lockTakedowns,
  insertHiddenFiles,
  insertHiddenSessions,
  insertTakedown,
  setTakedown,
} from './takedown-queries.ts'

const dismissalMs = 30 * 24 * 3600 * 1000

/** Returns the time after which dismissals count. A dismissal prevents automatic hiding for 30 days. */
export function dismissalsCountSince(ctx: Context): Date {
  return new Date(ctx.now().getTime() - dismissalMs)
}

/** Hides the subject of a report. Returns null if a recent dismissal prevents it. */
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

/** Takes a subject down by a decision. */
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

/** Ends the hiding. A subject that an earlier decision removed stays removed. */
export async function lift(ctx: Context, existing: Takedown | undefined): Promise<void> {
  if (existing?.state !== 'hidden') return
  await setTakedown(ctx, existing.id, { state: 'lifted', decidedAt: ctx.now() })
  await deleteHidden(ctx, existing.id)
}

/**
 * Returns the takedown in force and locks it until the transaction ends. Locks the subject first and
 * then the takedown lock, as transactions that derive files do, to avoid a deadlock.
 */
export async function hold(
  ctx: Context,
  subject: Subject | null,
  takedownId: number | null,
): Promise<Takedown | undefined> {
  const isThere = subject !== null && (await lockSubject(ctx, subject))
  await lockTakedowns(ctx)
  if (isThere) return findTakedown(ctx, subject)
  if (takedownId === null) throw problem.notFound()
  // The subject was deleted, but derived files of other people may still exist.
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
