/** The settings that administrators change at run time, read from the database each time they count. */
import type { Context } from '../../context.ts'
import { findSettings } from './queries.ts'

export type Settings = {
  readonly lowBalanceThreshold: number
  readonly dailyBonus: number
  readonly keepPurchasedCredits: boolean
  readonly registration: 'open' | 'closed'
}

export async function readSettings(ctx: Context): Promise<Settings> {
  const changed = await findSettings(ctx)
  return { ...defaultsOf(ctx), ...changed }
}

function defaultsOf(ctx: Context): Settings {
  return {
    lowBalanceThreshold: 20,
    dailyBonus: 5,
    keepPurchasedCredits: false,
    registration: ctx.config.registration,
  }
}
