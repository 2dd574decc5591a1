/**
 * Deletes an account. One transaction deletes all rows and marks the files for removal. After its commit
 * the files are not accessible, and the sweep removes them even after a crash.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { isContended } from '../../database/table-locks.ts'
import { problem } from '../../http/problem.ts'
import { Reply } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { forgetJobsOf } from '../../jobs/forget-account.ts'
import { forEachLimit } from '../../platform/concurrency/semaphore.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import {
  endAllSignIns,
  endSignIn,
  forgottenBrowserCookie,
  lockSuperAdmins,
  readUser,
  reauthenticate,
  requireSuperAdmin,
} from '../accounts/accounts.ts'
import { inAccountTurn } from '../credits/credits.ts'
import { abandonFiles, lockUnclaimed, removeFiles } from '../files/files.ts'
import { forgetReportedOwner } from '../moderation/moderation.ts'
import { ownFilesOf, removeLeftover, removeLeftoverFiles } from './leftover-files.ts'
import {
  anonymiseActivity,
  anonymisePayments,
  anonymiseTransactions,
  countHoldings,
  deleteUser,
  findPublishedKeys,
  findRole,
  holdAccount,
} from './queries.ts'

const maxTries = 400
const politeTries = 10
const pauseMs = 25
const removalsAtOnce = 4
// Longer than any call that writes a file which no row will name.
const leftFilesAfterMs = 10 * 60 * 1000

export async function deleteAccount(ctx: Context, call: Call<typeof api.accounts.deleteAccount>) {
  const { user, visitor, body } = call
  const { email } = await readUser(ctx, user.id)
  if (body.confirm.trim().toLowerCase() !== email.toLowerCase()) throw problem.notConfirmed()
  await reauthenticate(ctx, call, body.currentPassword)
  const listed = await ownFilesOf(ctx, user.id)
  const files = await forgetWhenFree(ctx, user.id, listed)
  await forgetJobsOf(ctx, { userId: user.id, email, kept: removeLeftoverFiles.name })
  await forEachLimit(files, removalsAtOnce, (file) => removeFiles(ctx, [file]))
  // Removes files that were written between the listing and the commit. No row can name a file now.
  await removeLeftover(ctx, user.id)
  const cookie = await endSignIn(ctx, visitor.cookies)
  return new Reply({ message: 'Account deleted' }, [cookie, forgottenBrowserCookie])
}

export function readHoldings(ctx: Context, { user }: Call<typeof api.accounts.holdings>) {
  return countHoldings(ctx, user.id)
}

/**
 * Retries while a transaction works for the account, which usually takes moments. If new requests keep
 * arriving, ends the account's sign-ins.
 */
async function forgetWhenFree(
  ctx: Context,
  userId: string,
  listed: readonly FileAddress[],
): Promise<FileAddress[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inAccountTurn(ctx, userId, (ctx) => forget(ctx, userId, listed))
    } catch (error) {
      const isWorthATry = isContended(error) || error instanceof RoleChanged
      if (!isWorthATry || tries === maxTries) throw error
      if (tries === politeTries) await endAllSignIns(ctx, userId)
      await sleep(pauseMs)
    }
  }
}

/** Deletes the rows and marks the files for removal, in one transaction. */
async function forget(
  ctx: Context,
  userId: string,
  listed: readonly FileAddress[],
): Promise<FileAddress[]> {
  // Lock super_admins first, in the same order as role changes.
  const isSuperAdmin = (await findRole(ctx, userId)) === 'super_admin'
  if (isSuperAdmin) await lockSuperAdmins(ctx)
  const held = await holdAccount(ctx, userId)
  if (!held) throw problem.unauthorized()
  if (held.role === 'super_admin' && !isSuperAdmin) throw new RoleChanged()
  if (isSuperAdmin) await requireSuperAdmin(ctx, userId)
  const published = (await findPublishedKeys(ctx, userId)).map((key): FileAddress => ({
    bucket: 'general',
    key,
  }))
  // A file that appears later was announced by its writer and can no longer be claimed.
  const files = [...listed, ...published]
  await lockUnclaimed(ctx, files)
  const gone = await abandonFiles(ctx, files)
  await anonymiseTransactions(ctx, userId)
  await anonymisePayments(ctx, userId)
  await anonymiseActivity(ctx, userId)
  await deleteUser(ctx, userId)
  await forgetReportedOwner(ctx, userId)
  const startAfter = new Date(ctx.now().getTime() + leftFilesAfterMs)
  await enqueue(ctx, removeLeftoverFiles, { userId }, { startAfter })
  return gone
}

/** Thrown when the user just became super_admin: all super_admins must be locked first, so retry. */
class RoleChanged extends Error {}
