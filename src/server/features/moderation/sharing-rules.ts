/** Whether a session may be passed on: it is not hidden, and none of its pictures is blocked. */
import type { Context } from '../../context.ts'
import { refuseBlockedHashes } from './blocked-pictures.ts'
import { findKnownHashes } from './blocked-queries.ts'
import { refuseHiddenSession } from '../visibility/visibility.ts'

export async function refuseUnshareable(ctx: Context, sessionId: number): Promise<void> {
  await refuseHiddenSession(ctx, sessionId)
  await refuseBlockedHashes(ctx, () => findKnownHashes(ctx, sessionId))
}
