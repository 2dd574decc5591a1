/** The settings that administrators change at run time, read from the database each time they count. */
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { findSettings } from './queries.ts'

const settings = z.object({
  uploadLimitMb: z.int().min(1),
  lowBalanceThreshold: z.int().min(0),
  dailyBonus: z.int().min(0),
  keepPurchasedCredits: z.boolean(),
  enhancementPrimary: z.enum(['default', 'provider_a']),
  registration: z.enum(['open', 'closed']),
})

export type Settings = z.output<typeof settings>

export async function readSettings(ctx: Context): Promise<Settings> {
  const changed = await findSettings(ctx)
  const { registration } = ctx.config
  return settings.parse({ ...settingDefaults, registration, ...changed })
}

/** What counts until someone changes it. Registration's default is a matter of the environment. */
export const settingDefaults = {
  uploadLimitMb: 100,
  lowBalanceThreshold: 20,
  dailyBonus: 5,
  keepPurchasedCredits: false,
  enhancementPrimary: 'default',
}
