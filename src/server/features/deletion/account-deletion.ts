/**
 * Deleting an account. All rows go in one transaction, and with it the promise that the files will:
 * from the commit on nobody can reach them, and whatever dies afterwards, the sweep removes them.
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
  holdSuperAdmins,
  readUser,
  reauthenticate,
  requireSuperAdmin,
} from '../accounts/accounts.ts'
import { inAccountTurn } from '../credits/credits.ts'
import { abandonFiles, holdUnclaimed, removeFiles } from '../files/files.ts'
import { forgetReportedOwner } from '../moderation/moderation.ts'
import { ownFilesOf, removeLeft, removeLeftFiles } from './left-files.ts'
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

const mostTries = 400
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
  await forgetJobsOf(ctx, { userId: user.id, email, kept: removeLeftFiles.name })
  await forEachLimit(files, removalsAtOnce, (file) => removeFiles(ctx, [file]))
  // What came between the list and the commit; nobody can name a file any more.
  await removeLeft(ctx, user.id)
  const cookie = await endSignIn(ctx, visitor.cookies)
  return new Reply({ message: 'Account deleted' }, [cookie, forgottenBrowserCookie])
}

export function readHoldings(ctx: Context, { user }: Call<typeof api.accounts.holdings>) {
  return countHoldings(ctx, user.id)
}

/**
 * Somebody may be at work for the account at this moment; that takes moments. Where it does not end,
 * because ever more is asked for, the sign-ins go first.
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
      if (!isWorthATry || tries === mostTries) throw error
      if (tries === politeTries) await endAllSignIns(ctx, userId)
      await sleep(pauseMs)
    }
  }
}

/** In one transaction, down to the promise that the files will go. */
async function forget(
  ctx: Context,
  userId: string,
  listed: readonly FileAddress[],
): Promise<FileAddress[]> {
  // First, as whoever changes roles does.
  const isSuperAdmin = (await findRole(ctx, userId)) === 'super_admin'
  if (isSuperAdmin) await holdSuperAdmins(ctx)
  const held = await holdAccount(ctx, userId)
  if (!held) throw problem.unauthorized()
  if (held.role === 'super_admin' && !isSuperAdmin) throw new RoleChanged()
  if (isSuperAdmin) await requireSuperAdmin(ctx, userId)
  const published = (await findPublishedKeys(ctx, userId)).map((key): FileAddress => ({
    bucket: 'general',
    key,
  }))
  // Whatever is not there yet was announced by whoever writes it, and can no longer be named.
  const files = [...listed, ...published]
  await holdUnclaimed(ctx, files)
  const gone = await abandonFiles(ctx, files)
  await anonymiseTransactions(ctx, userId)
  await anonymisePayments(ctx, userId)
  await anonymiseActivity(ctx, userId)
  await deleteUser(ctx, userId)
  await forgetReportedOwner(ctx, userId)
  const startAfter = new Date(ctx.now().getTime() + leftFilesAfterMs)
  await enqueue(ctx, removeLeftFiles, { userId }, { startAfter })
  return gone
}

/** They became super_admin in this moment: the others have to be held first. */
class RoleChanged extends Error {}
