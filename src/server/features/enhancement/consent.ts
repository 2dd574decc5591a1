/** Consent to version 1 of the policy. It is required before a picture is enhanced. */
import type { api } from '../../../contract/api.ts'
import { consentPolicyVersion as version } from '../../../contract/enhancement-limits.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { findConsent, insertConsent } from './queries.ts'

export async function giveConsent(
  ctx: Context,
  { user }: Call<typeof api.enhancement.giveConsent>,
) {
  const acceptedAt = await insertConsent(ctx, { userId: user.id, version, acceptedAt: ctx.now() })
  return { accepted: true as const, version, acceptedAt: acceptedAt.toISOString() }
}

export async function readConsent(
  ctx: Context,
  { user }: Call<typeof api.enhancement.consentStatus>,
) {
  const consent = await findConsent(ctx, user.id, version)
  return {
    accepted: consent !== undefined,
    version,
    acceptedAt: consent?.acceptedAt.toISOString() ?? null,
  }
}

export async function requireConsent(ctx: Context, { user }: { user: { id: string } }) {
  if (!(await findConsent(ctx, user.id, version))) throw problem.consentRequired()
}
