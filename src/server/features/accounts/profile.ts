/** Handles the signed-in user's own data: profile, onboarding, interests, referrals. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { requireMediaAddress } from '../../http/media/media-url.ts'
import { problem } from '../../http/problem.ts'
import { JsonText } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { logActivity } from '../activity/activity.ts'
import { refuseUnknownTags } from '../classification/classification.ts'
import { summariseReferrals } from '../credits/credits.ts'
import { readAccountJson } from './account-json.ts'
import { finishOnboarding, updateUser } from './queries.ts'
import { presentUser } from './users.ts'

export async function readCurrentUser(
  ctx: Context,
  { user }: Call<typeof api.accounts.currentUser>,
) {
  const text = await readAccountJson(ctx, user.id)
  if (text === null) throw problem.userNotFound()
  return new JsonText(text)
}

export function updateProfile(
  ctx: Context,
  { user, visitor, body }: Call<typeof api.accounts.updateProfile>,
) {
  requireMediaAddress(ctx, 'profileImageUrl', body.profileImageUrl)
  return atomically(ctx, async (ctx) => {
    const changed = await updateUser(ctx, user.id, body)
    await logActivity(ctx, visitor, {
      userId: user.id,
      action: 'profile_updated',
      feature: 'authentication',
      details: { fields: Object.keys(body) },
    })
    if (!changed) throw problem.unauthorized()
    return presentUser(changed)
  })
}

export async function completeOnboarding(
  ctx: Context,
  { user, body }: Call<typeof api.accounts.completeOnboarding>,
) {
  await refuseUnknownTags(ctx, 'preferredTags', body.preferredTags)
  const done = await finishOnboarding(ctx, user.id, body)
  if (!done) throw problem.alreadyExists({ message: 'Onboarding has been completed already' })
  return presentUser(done)
}

export async function changeInterests(
  ctx: Context,
  { user, body }: Call<typeof api.accounts.changeInterests>,
) {
  await refuseUnknownTags(ctx, 'preferredTags', body.preferredTags)
  const changed = await updateUser(ctx, user.id, { interests: body })
  if (!changed) throw problem.unauthorized()
  return presentUser(changed)
}

export async function resetOnboarding(
  ctx: Context,
  { user }: Call<typeof api.accounts.resetOnboarding>,
) {
  if (ctx.config.production && user.role === 'user') throw problem.forbidden()
  const reset = await updateUser(ctx, user.id, { onboardingCompleted: false })
  if (!reset) throw problem.unauthorized()
  return presentUser(reset)
}

export async function listReferrals(ctx: Context, { user }: Call<typeof api.accounts.referrals>) {
  return {
    referralCode: user.referralCode,
    referralUrl: `${ctx.config.baseUrl}/?r=${user.referralCode}`,
    ...(await summariseReferrals(ctx, user.id)),
  }
}
