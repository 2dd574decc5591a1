/**
 * Decisions of moderation that prevent moving an item to the trash or restoring it. Quarantined
 * evidence looks like a missing item. A hidden or removed item stays where it is.
 */
import type { Context } from '../../context.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import {
  isHiddenFile,
  isHiddenSession,
  isQuarantined,
  isQuarantinedSession,
} from '../visibility/visibility.ts'

/** The reason of a refusal. 'blocked' means that moderation has hidden or removed the item. */
export type Refused = 'not_found' | 'blocked'

export async function refusalOfFile(ctx: Context, file: FileAddress): Promise<Refused | null> {
  if (await isQuarantined(ctx, file)) return 'not_found'
  return (await isHiddenFile(ctx, file)) ? 'blocked' : null
}

export async function refusalOfSession(ctx: Context, id: number): Promise<Refused | null> {
  if (await isQuarantinedSession(ctx, id)) return 'not_found'
  return (await isHiddenSession(ctx, id)) ? 'blocked' : null
}
