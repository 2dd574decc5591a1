/** Settings that administrators change at run time. They are read from the database each time. */
import type { z } from 'zod'
import { siteSettings } from '../../../contract/admin.ts'
import { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { Call } from '../../http/route.ts'
import { route } from '../../http/route.ts'
import { logActivity } from '../activity/activity.ts'
import { findSettings, putSettings } from './queries.ts'

export { communityIsPublicSql, creditsAreOffSql } from './queries.ts'

export type Settings = z.output<typeof siteSettings>

export async function readSettings(ctx: Context): Promise<Settings> {
  return settingsFrom(ctx, await findSettings(ctx))
}

function settingsFrom(ctx: Context, changed: Record<string, unknown>): Settings {
  const { registration, credits } = ctx.config
  const ofTiers = (name: 'quotaMb' | 'tierNames') => ({
    ...settingDefaults[name],
    ...(changed[name] as object | undefined),
  })
  return siteSettings.parse({
    ...settingDefaults,
    registration,
    credits,
    publicCommunity: isCommunityPublicByDefault(ctx),
    ...changed,
    quotaMb: ofTiers('quotaMb'),
    tierNames: ofTiers('tierNames'),
  })
}

/** Defaults of settings. Those of registration, credits and the community depend on the environment. */
export const settingDefaults = {
  uploadLimitMb: 100,
  lowBalanceThreshold: 20,
  dailyBonus: 5,
  keepPurchasedCredits: false,
  enhancementPrimary: 'default',
  siteName: 'Lanternist',
  quotaMb: { free: 5120, joi_curious: 51_200, full_access: 102_400, vip: 204_800 },
  tierNames: { free: 'Free', joi_curious: 'Plus', full_access: 'Full access', vip: 'Patron' },
}

export async function isCommunityPublic(ctx: Context): Promise<boolean> {
  return (await readSettings(ctx)).publicCommunity
}

/** Applies until an administrator changes the setting. */
export function isCommunityPublicByDefault({ config }: Context): boolean {
  return !config.production
}

export async function areCreditsOn(ctx: Context): Promise<boolean> {
  return (await readSettings(ctx)).credits === 'on'
}

/**
 * Returns the settings, and the time when credits were last turned on. It is null if they were never
 * turned on.
 */
export async function readSettingsAndTurning(
  ctx: Context,
): Promise<Settings & { creditsOnSince: Date | null }> {
  const changed = await findSettings(ctx)
  const { creditsOnSince: since } = changed
  return {
    ...settingsFrom(ctx, changed),
    creditsOnSince: typeof since === 'string' ? new Date(since) : null,
  }
}

export function changeSettings(
  ctx: Context,
  { user, visitor, body }: Call<typeof api.admin.changeSettings>,
): Promise<Settings> {
  return atomically(ctx, async (ctx) => {
    const isTurnedOn = body.credits === 'on' && !(await areCreditsOn(ctx))
    await putSettings(ctx, {
      ...body,
      ...(isTurnedOn && { creditsOnSince: ctx.now().toISOString() }),
    })
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
