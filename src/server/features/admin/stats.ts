/** Statistics of the site. They are cheap: only small or indexed tables are counted as a whole. */
import type { Context } from '../../context.ts'
import { checkLedger } from '../credits/credits.ts'
import { countDays, countJobs, countSite, sumCredits } from './stat-queries.ts'

const days = 30
const dayMs = 24 * 3600 * 1000

export async function readStats(ctx: Context) {
  const since = new Date(ctx.now().getTime() - days * dayMs)
  const [site, credits, jobs, ledger] = await Promise.all([
    countSite(ctx, since),
    sumCredits(ctx, since),
    countJobs(ctx),
    checkLedger(ctx),
  ])
  return { ...site, credits, jobs, ledger, days }
}

export async function readStatsByDay(ctx: Context) {
  const first = new Date(ctx.now().getTime() - (days - 1) * dayMs)
  return { days: await countDays(ctx, { first, last: ctx.now() }) }
}
