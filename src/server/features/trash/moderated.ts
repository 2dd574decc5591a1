/**
 * What moderation has decided about a thing, for whoever would put it in the trash or take it out:
 * what is held as evidence is nowhere to be found, and what was hidden or removed stays where it is.
 */
import type { Context } from '../../context.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import {
  isHiddenFile,
  isHiddenSession,
  isQuarantined,
  isQuarantinedSession,
} from '../visibility/visibility.ts'

/** 'blocked' is what moderation has hidden or removed. */
export type Refused = 'not_found' | 'blocked'

export async function refusalOfFile(ctx: Context, file: FileAddress): Promise<Refused | null> {
  if (await isQuarantined(ctx, file)) return 'not_found'
  return (await isHiddenFile(ctx, file)) ? 'blocked' : null
}

export async function refusalOfSession(ctx: Context, id: number): Promise<Refused | null> {
  if (await isQuarantinedSession(ctx, id)) return 'not_found'
  return (await isHiddenSession(ctx, id)) ? 'blocked' : null
}
