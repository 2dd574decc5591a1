/**
 * Adds, renames and removes a person's passkeys. The last sign-in method of an account cannot be removed.
 */
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { api } from '../../../../contract/api.ts'
import { maxPasskeys } from '../../../../contract/passkeys.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { readSettings } from '../../settings/settings.ts'
import { hasLocalAccounts } from '../sign-in-methods.ts'
import { holdUser } from '../queries.ts'
import { recordAccountChange } from '../security/account-changes.ts'
import { lockSignedIn, reauthenticate } from '../security/reauthentication.ts'
import { readUser } from '../users.ts'
import { newChallenge, useChallenge } from './challenges.ts'
import type { PasskeyRow } from './passkey-queries.ts'
import {
  deletePasskey,
  findSignInMethods,
  insertPasskey,
  listPasskeysOf,
  renamePasskeyOf,
} from './passkey-queries.ts'
import { relyingParty, userHandleOf } from './relying-party.ts'
import { loadWebauthn } from './webauthn.ts'

/** ES256, EdDSA and RS256, as COSE numbers. */
const algorithms = [-7, -8, -257]

export async function listPasskeys(ctx: Context, { user }: Call<typeof api.passkeys.list>) {
  return (await listPasskeysOf(ctx, user.id)).map(present)
}

export async function passkeyOptions(
  ctx: Context,
  call: Call<typeof api.passkeys.registrationOptions>,
) {
  const { user, body } = call
  await reauthenticate(ctx, call, body.currentPassword)
  const [{ siteName }, { email, firstName }] = [
    await readSettings(ctx),
    await readUser(ctx, user.id),
  ]
  const known = await listPasskeysOf(ctx, user.id)
  const { generateRegistrationOptions } = await loadWebauthn()
  const options = await generateRegistrationOptions({
    rpName: siteName,
    rpID: relyingParty(ctx).id,
    userName: email,
    userDisplayName: firstName ?? email,
    // Authenticators show it to anyone who holds them, so it must not reveal the account.
    userID: new Uint8Array(userHandleOf(user.id)),
    challenge: newChallenge(ctx, { account: user.id }),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  return { ...options }
}

export async function addPasskey(ctx: Context, call: Call<typeof api.passkeys.add>) {
  const { user, visitor, body } = call
  const credential = await verified(ctx, user.id, body.response)
  return atomically(ctx, async (ctx) => {
    // Locks the user, so that concurrent requests cannot exceed the maximum.
    await lockSignedIn(ctx, call)
    if ((await findSignInMethods(ctx, user.id)).passkeys >= maxPasskeys)
      throw problem.validationFailed({
        message: `Validation failed: an account has at most ${maxPasskeys} passkeys`,
      })
    const added = await insertPasskey(ctx, {
      id: ctx.newId(),
      userId: user.id,
      name: body.name,
      credentialId: credential.id,
      publicKey: credential.publicKey,
      counter: credential.counter,
      transports: body.response.response.transports ?? [],
    })
    if (!added) throw problem.invalidPasskey()
    await recordAccountChange(ctx, visitor, {
      userId: user.id,
      action: 'passkey_added',
      details: { passkeyId: added.id },
    })
    return present(added)
  })
}

export async function renamePasskey(
  ctx: Context,
  { user, params, body }: Call<typeof api.passkeys.rename>,
) {
  const renamed = await renamePasskeyOf(ctx, user.id, params.id, body.name)
  if (!renamed) throw problem.passkeyNotFound()
  return present(renamed)
}

export function removePasskey(
  ctx: Context,
  { user, visitor, params }: Call<typeof api.passkeys.remove>,
) {
  return atomically(ctx, async (ctx) => {
    // Locks the user, so that two concurrent removals cannot remove the last sign-in method.
    await holdUser(ctx, user.id)
    if (!(await deletePasskey(ctx, user.id, params.id))) throw problem.passkeyNotFound()
    if (!(await hasSignInMethod(ctx, user.id))) throw problem.lastSignInMethod()
    await recordAccountChange(ctx, visitor, {
      userId: user.id,
      action: 'passkey_removed',
      details: { passkeyId: params.id },
    })
    return { message: 'Passkey removed' }
  })
}

/** True when the account has a sign-in method that works with the current configuration. */
async function hasSignInMethod(ctx: Context, userId: string): Promise<boolean> {
  const { hasPassword, hasProvider, passkeys } = await findSignInMethods(ctx, userId)
  const isDeveloper = ctx.config.devAccounts.some(({ id }) => id === userId)
  const byPassword = hasLocalAccounts(ctx) && (hasPassword || isDeveloper)
  return byPassword || (ctx.config.oidc !== undefined && hasProvider) || passkeys > 0
}

async function verified(
  ctx: Context,
  userId: string,
  response: Call<typeof api.passkeys.add>['body']['response'],
) {
  const { clientDataJSON } = response.response
  const challenge = await useChallenge(ctx, clientDataJSON, { account: userId })
  if (challenge === null) throw problem.invalidPasskey()
  const { id, origin } = relyingParty(ctx)
  const { verifyRegistrationResponse } = await loadWebauthn()
  // The library throws on every invalid value.
  const outcome = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch((error: unknown) => {
    ctx.log.info({ event: 'passkey_refused', err: error }, 'passkey registration refused')
    return null
  })
  if (!outcome?.verified) throw problem.invalidPasskey()
  return outcome.registrationInfo.credential
}

function present({
  id,
  name,
  createdAt,
  lastUsedAt,
}: Omit<PasskeyRow, 'credentialId' | 'transports'>) {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
