/** A small bonus once each UTC day, for people who return. */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { readSettings } from '../../settings/settings.ts'
import { addCredits } from '../ledger/debit-queries.ts'
import { findLatestBonus, insertBonus } from './bonus-queries.ts'

const dayMs = 24 * 3600 * 1000

export async function readBonusStatus(
  ctx: Context,
  { user }: Call<typeof api.credits.bonusStatus>,
) {
  const { dailyBonus, credits } = await readSettings(ctx)
  const amount = credits === 'on' ? dailyBonus : 0
  const today = dayOf(ctx.now())
  const yesterday = dayOf(new Date(ctx.now().getTime() - dayMs))
  const latest = await findLatestBonus(ctx, user.id, yesterday)
  const isClaimed = latest?.day === today
  return {
    available: amount > 0 && !isClaimed,
    amount,
    nextClaimAt: isClaimed ? nextMidnight(ctx) : `${today}T00:00:00.000Z`,
    streak: latest?.streak ?? 0,
  }
}

export async function claimBonus(ctx: Context, { user }: Call<typeof api.credits.claimBonus>) {
  const { dailyBonus: amount, credits } = await readSettings(ctx)
  if (credits === 'off') throw problem.creditsOff({ message: 'This site has no credits' })
  if (amount === 0) throw problem.forbidden()
  return atomically(ctx, async (ctx) => {
    const now = ctx.now()
    const yesterday = dayOf(new Date(now.getTime() - dayMs))
    const isNew = await insertBonus(ctx, user.id, { day: dayOf(now), yesterday })
    if (!isNew) throw problem.alreadyExists({ message: 'Today’s bonus has been claimed already' })
    const balance = await addCredits(ctx, {
      userId: user.id,
      amount,
      type: 'bonus',
      description: 'Daily bonus',
    })
    if (balance === null) throw problem.unauthorized()
    return { claimed: true as const, amount, balance, nextClaimAt: nextMidnight(ctx) }
  })
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

function nextMidnight(ctx: Context): string {
  return `${dayOf(new Date(ctx.now().getTime() + dayMs))}T00:00:00.000Z`
}
