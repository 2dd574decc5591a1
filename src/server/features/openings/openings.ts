/**
 * What a new account begins with: one filled session that cost it nothing. On a site with the demo
 * feed it is one of the demo's; elsewhere a copy of what an administrator has published as safe for
 * everyone (decision 27). It is never adult, since nobody has said yet how old they are.
 */
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { defineJob } from '../../jobs/job.ts'
import { findUser } from '../accounts/accounts.ts'
import { findOpening, givePublished } from '../community/community.ts'
import { hasSessions } from '../sessions/sessions.ts'

/** In the transaction of the first sign-in. Copying files is no part of that, so a job does it. */
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
  // Whoever has made something meanwhile does not need it; whoever has it already neither.
  if (await hasSessions(ctx, userId)) return
  const opening = await findOpening(ctx)
  if (opening !== null) await givePublished(ctx, userId, opening)
}
