/**
 * The first session of a new account: filled and free of charge. On a site with the demo feed it comes
 * from the demo. On other sites it is a copy of a session that an administrator has published as safe
 * (decision 27). It is never adult, because the user's age is not known yet.
 */
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { defineJob } from '../../jobs/job.ts'
import { findUser } from '../accounts/accounts.ts'
import { findOpening, savePublished } from '../community/community.ts'
import { hasSessions } from '../sessions/sessions.ts'

/** Promises the first session, in the transaction of the first sign-in. A job copies the files. */
export async function promiseOpening(ctx: Context, userId: string): Promise<void> {
  if (await hasSessions(ctx, userId)) return
  if (ctx.demo) await ctx.demo.giveOpening(ctx, userId)
  else await enqueue(ctx, giveOpening, { userId }, { scope: { account: userId } })
}

export const giveOpening = defineJob({
  name: 'give-opening',
  payload: z.object({ userId: z.string() }),
  retries: 2,
  timeLimitSeconds: 120,
  atOnce: 2,
  run: (ctx, { userId }) => runGiving(ctx, userId),
})

async function runGiving(ctx: Context, userId: string): Promise<void> {
  // The account may have been deleted before its job ran.
  if (!(await findUser(ctx, userId))) return
  // The user has created a session meanwhile, or an earlier run has already made the first session.
  if (await hasSessions(ctx, userId)) return
  const opening = await findOpening(ctx)
  if (opening !== null) await savePublished(ctx, userId, opening)
}
