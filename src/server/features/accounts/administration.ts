/** Changes accounts in ways that their owners cannot. */
import type { Tier } from '../../../contract/tiers.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { SignedInUser, Visitor } from '../../http/caller.ts'
import { problem } from '../../http/problem.ts'
import { logActivity } from '../activity/activity.ts'
import { setTier } from '../credits/credits.ts'
import type { ResetReport } from '../mail/mail.ts'
import {
  findListedAccount,
  findSuperAdmins,
  lockSuperAdmins,
  lockUser,
} from './administration-queries.ts'
import type { KeyRow } from './keys/key-queries.ts'
import { listKeysOf } from './keys/key-queries.ts'
import { hashPassword } from './passwords.ts'
import type { UserRow } from './queries.ts'
import { findUserByEmail, holdUser, updateUser } from './queries.ts'
import { recordAccountChange } from './security/account-changes.ts'
import { replacePassword } from './security/replace-password.ts'
import { deleteSecret } from './second-factor/second-factor-queries.ts'
import { endAllSignIns } from './sign-in-queries.ts'
import { isGuardedByProvider } from './sign-in-methods.ts'

export type AccountChange = {
  readonly role?: UserRow['role'] | undefined
  readonly isActive?: boolean | undefined
  readonly tier?: Tier | undefined
  readonly ageVerified?: boolean | undefined
}

/** The author of a change: an administrator, or a person with access to the command line. */
type By = { readonly user: SignedInUser; readonly visitor: Visitor } | 'command line'

export function changeAccount(ctx: Context, by: By, id: string, change: AccountChange) {
  return atomically(ctx, async (ctx) => {
    const { role, isActive, tier, ageVerified } = change
    if (role !== undefined || isActive !== undefined) await lockSuperAdmins(ctx)
    const target = await lockUser(ctx, id)
    if (!target) throw problem.notFound()
    requirePermission(by, target, change)
    const staysSuper = (role ?? target.role) === 'super_admin' && (isActive ?? target.isActive)
    if (!staysSuper) await requireSuperAdmin(ctx, id)
    // An administrator's confirmation overrides the user's own statement of being a minor.
    const age = ageVerified ? ({ ageVerified, underAge: false } as const) : { ageVerified }
    await updateUser(ctx, id, { role, isActive, ...age })
    if (tier !== undefined) await setTier(ctx, id, tier)
    if (isActive === false) await endAllSignIns(ctx, id)
    await logChange(ctx, by, id, change)
    const changed = await findListedAccount(ctx, id)
    if (!changed) throw problem.notFound()
    return changed
  })
}

/**
 * Throws if this is the last super_admin, because no other account can change roles. Call it in the
 * transaction that removes the account; if the account may be a super_admin, call `lockSuperAdmins`
 * first.
 */
export async function requireSuperAdmin(ctx: Context, id: string): Promise<void> {
  if (await isLastSuperAdmin(ctx, id)) throw problem.lastSuperAdmin()
}

/** Sets the role that the provider's claims name, unless no super_admin would remain. */
export function changeRoleByClaim(
  ctx: Context,
  visitor: Visitor,
  { id, role }: Pick<UserRow, 'id' | 'role'>,
) {
  return atomically(ctx, async (ctx) => {
    await lockSuperAdmins(ctx)
    await lockUser(ctx, id)
    if (role !== 'super_admin' && (await isLastSuperAdmin(ctx, id))) {
      ctx.log.warn(
        { event: 'last_super_admin', userId: id },
        'kept the role of the last super_admin',
      )
      return undefined
    }
    await logActivity(ctx, visitor, {
      userId: null,
      targetUserId: id,
      action: 'admin_changed',
      feature: 'administration',
      details: { role, by: 'provider' },
    })
    return updateUser(ctx, id, { role })
  })
}

async function isLastSuperAdmin(ctx: Context, id: string): Promise<boolean> {
  const superAdmins = await findSuperAdmins(ctx)
  return superAdmins.length === 1 && superAdmins[0]?.id === id
}

export async function changeAccountByEmail(
  ctx: Context,
  email: string,
  change: AccountChange,
): Promise<void> {
  const user = await requireByEmail(ctx, email)
  await changeAccount(ctx, 'command line', user.id, change)
}

export async function setPassword(
  ctx: Context,
  email: string,
  password: string,
): Promise<ResetReport> {
  const passwordHash = await hashPassword(ctx, password)
  return atomically(ctx, async (ctx) => {
    const { id: userId } = await requireByEmail(ctx, email)
    if (await isGuardedByProvider(ctx, userId)) throw problem.notChangeable()
    await holdUser(ctx, userId)
    return replacePassword(ctx, null, { userId, passwordHash })
  })
}

/**
 * Turns off the second factor of a person who has lost the app and the recovery codes. Returns false if
 * it was not on.
 */
export async function removeSecondFactorByEmail(ctx: Context, email: string): Promise<boolean> {
  return atomically(ctx, async (ctx) => {
    const { id: userId } = await requireByEmail(ctx, email)
    const isRemoved = await deleteSecret(ctx, userId)
    if (isRemoved) await recordAccountChange(ctx, null, { userId, action: 'totp_disabled' })
    return isRemoved
  })
}

/** Ends the sign-ins on all devices. */
export async function endSignInsByEmail(ctx: Context, email: string): Promise<void> {
  await atomically(ctx, async (ctx) => {
    const user = await requireByEmail(ctx, email)
    await endAllSignIns(ctx, user.id)
    await logActivity(ctx, null, {
      userId: null,
      targetUserId: user.id,
      action: 'sign_in_ended',
      feature: 'authentication',
      details: { which: 'all', by: 'command line' },
    })
  })
}

/** Returns the metadata of a person's keys. The keys themselves are not stored. */
export async function listKeysByEmail(ctx: Context, email: string): Promise<KeyRow[]> {
  return listKeysOf(ctx, (await requireByEmail(ctx, email)).id)
}

/**
 * Throws if the change is not allowed. Admins can change everything except roles and super_admins. No
 * user can change their own role.
 */
function requirePermission(
  by: By,
  target: { readonly id: string; readonly role: UserRow['role'] },
  { role }: AccountChange,
): void {
  if (by === 'command line') return
  const isSuper = by.user.role === 'super_admin'
  if (!isSuper && (role !== undefined || target.role === 'super_admin')) throw problem.forbidden()
  if (role !== undefined && by.user.id === target.id) throw problem.forbidden()
}

async function requireByEmail(ctx: Context, email: string): Promise<UserRow> {
  const user = await findUserByEmail(ctx, email)
  if (!user) throw new Error(`there is no account with the e-mail ${email}`)
  return user
}

function logChange(
  ctx: Context,
  by: By,
  targetUserId: string,
  details: Record<string, unknown>,
): Promise<void> {
  const isByCommand = by === 'command line'
  return logActivity(ctx, isByCommand ? null : by.visitor, {
    userId: isByCommand ? null : by.user.id,
    targetUserId,
    action: 'admin_changed',
    feature: 'administration',
    details: isByCommand ? { ...details, by: 'command line' } : details,
  })
}
