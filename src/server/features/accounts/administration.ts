/** Changes to someone's account that its owner cannot make. */
import { atomically } from '../../atomically.ts'
import type { Context } from '../../context.ts'
import { logActivity } from './activity.ts'
import { hashPassword } from './passwords.ts'
import type { UserRow } from './queries.ts'
import { findUserByEmail, updateUser } from './queries.ts'
import { deleteSignInsOf } from './sign-in-queries.ts'

export function setRole(ctx: Context, email: string, role: UserRow['role']): Promise<void> {
  return atomically(ctx, async (ctx) => {
    const user = await requireByEmail(ctx, email)
    await updateUser(ctx, user.id, { role })
    await logChange(ctx, user, { role })
  })
}

/** Whoever was signed in with the old password is so no longer. */
export async function setPassword(ctx: Context, email: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password)
  await atomically(ctx, async (ctx) => {
    const user = await requireByEmail(ctx, email)
    await updateUser(ctx, user.id, { passwordHash })
    await deleteSignInsOf(ctx, user.id)
    await logChange(ctx, user, { password: 'changed' })
  })
}

async function requireByEmail(ctx: Context, email: string): Promise<UserRow> {
  const user = await findUserByEmail(ctx, email)
  if (!user) throw new Error(`nobody has the e-mail ${email}`)
  return user
}

function logChange(ctx: Context, user: UserRow, details: Record<string, unknown>): Promise<void> {
  return logActivity(ctx, null, {
    userId: user.id,
    action: 'admin_changed',
    feature: 'administration',
    details,
  })
}
