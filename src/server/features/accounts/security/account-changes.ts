/** Every change of the way into an account passes here, with the transaction that makes it: it is logged. */
import type { Context } from '../../../context.ts'
import type { Visitor } from '../../../http/caller.ts'
import type { Deed } from '../../activity/activity.ts'
import { logActivity } from '../../activity/activity.ts'

type AccountChange = {
  readonly userId: string
  readonly action: Extract<Deed['action'], `passkey_${string}` | `totp_${string}` | `key_${string}`>
  /** For administrators to read: names, never a secret. */
  readonly details?: Record<string, unknown>
}

export async function recordAccountChange(
  ctx: Context,
  visitor: Visitor,
  { userId, action, details = {} }: AccountChange,
): Promise<void> {
  await logActivity(ctx, visitor, { userId, action, feature: 'authentication', details })
}
