/** The settings that administrators change at run time, read from the database each time they count. */
import type { z } from 'zod'
import { siteSettings } from '../../../contract/admin.ts'
import { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { Call } from '../../http/route.ts'
import { route } from '../../http/route.ts'
import { logActivity } from '../activity/activity.ts'
import { findSettings, putSettings } from './queries.ts'

export type Settings = z.output<typeof siteSettings>

export async function readSettings(ctx: Context): Promise<Settings> {
  const changed = await findSettings(ctx)
  const { registration } = ctx.config
  return siteSettings.parse({ ...settingDefaults, registration, ...changed })
}

/** What counts until someone changes it. Registration's default is a matter of the environment. */
export const settingDefaults = {
  uploadLimitMb: 100,
  lowBalanceThreshold: 20,
  dailyBonus: 5,
  keepPurchasedCredits: false,
  enhancementPrimary: 'default',
}

export function changeSettings(
  ctx: Context,
  { user, visitor, body }: Call<typeof api.admin.changeSettings>,
): Promise<Settings> {
  return atomically(ctx, async (ctx) => {
    await putSettings(ctx, body)
    await logActivity(ctx, visitor, {
      userId: user.id,
      action: 'admin_changed',
      feature: 'administration',
      details: { settings: body },
    })
    return readSettings(ctx)
  })
}

export const settingRoutes = [
  route(api.admin.settings, readSettings),
  route(api.admin.changeSettings, changeSettings),
]
