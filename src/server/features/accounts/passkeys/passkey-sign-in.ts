/** Handles sign-in with a passkey: the browser names the passkey and proves that it has it. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { problem } from '../../../http/problem.ts'
import { Reply } from '../../../http/reply.ts'
import type { Call } from '../../../http/route.ts'
import { findUser, holdUser } from '../queries.ts'
import { isStaleDevAccount } from '../sign-ins.ts'
import { presentUser, readUser } from '../users.ts'
import { welcome } from '../welcome.ts'
import { browserCookie, browserOf, newBrowser, newChallenge, useChallenge } from './challenges.ts'
import { countUse, findCredential } from './passkey-queries.ts'
import { relyingParty, userHandleOf } from './relying-party.ts'
import { loadWebauthn } from './webauthn.ts'

type Assertion = Call<typeof api.passkeys.signIn>['body']['response']

export async function passkeySignInOptions(
  ctx: Context,
  { visitor }: Call<typeof api.passkeys.signInOptions>,
) {
  const known = browserOf(visitor.cookies)
  const { asker, cookie } = known
    ? { asker: known, cookie: browserCookie(known.browser) }
    : newBrowser()
  const { generateAuthenticationOptions } = await loadWebauthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(ctx).id,
    challenge: newChallenge(ctx, asker),
    userVerification: 'required',
    // Empty, so that a stranger does not learn which passkeys exist.
    allowCredentials: [],
  })
  return new Reply({ ...options }, [cookie])
}

export async function passkeySignIn(
  ctx: Context,
  { visitor, body }: Call<typeof api.passkeys.signIn>,
) {
  const asker = browserOf(visitor.cookies)
  const challenge = asker && (await useChallenge(ctx, body.response.response.clientDataJSON, asker))
  const use = challenge && (await verifyUse(ctx, body.response, challenge))
  if (!use || isStaleDevAccount(ctx, use.userId)) throw problem.invalidCredentials()
  return atomically(ctx, async (ctx) => {
    // Locks the user, so that a passkey that is being removed (directly or by a password reset) cannot
    // sign in.
    await holdUser(ctx, use.userId)
    const user = (await recordUse(ctx, use)) ? await findUser(ctx, use.userId) : undefined
    if (!user) throw problem.invalidCredentials()
    const cookies = await welcome(ctx, visitor, user, 'passkey')
    return new Reply({ user: presentUser(await readUser(ctx, user.id)) }, cookies)
  })
}

type PasskeyUse = { readonly id: string; readonly userId: string; readonly counter: number }

/** Returns the passkey that signed the challenge, or null. */
async function verifyUse(
  ctx: Context,
  response: Assertion,
  challenge: string,
): Promise<PasskeyUse | null> {
  const passkey = await findCredential(ctx, response.id)
  if (!passkey || !isHandleOf(passkey.userId, response.response.userHandle)) return null
  const { id, origin } = relyingParty(ctx)
  const { verifyAuthenticationResponse } = await loadWebauthn()
  // The library throws on every invalid value.
  const outcome = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    // The counter is checked by the statement that increases it, so that two concurrent requests cannot
    // both pass.
    credential: { id: response.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
  }).catch((error: unknown) => {
    ctx.log.info({ event: 'passkey_refused', err: error }, 'passkey sign-in refused')
    return null
  })
  if (!outcome?.verified) return null
  return { id: passkey.id, userId: passkey.userId, counter: outcome.authenticationInfo.newCounter }
}

async function recordUse(ctx: Context, { id, userId, counter }: PasskeyUse): Promise<boolean> {
  if (await countUse(ctx, id, counter)) return true
  ctx.log.warn(
    { event: 'passkey_counter', userId, passkeyId: id },
    'passkey sign-in refused: the passkey was removed, or its counter did not increase and it may have been copied',
  )
  return false
}

/** True when the authenticator's user handle is the passkey's owner, or is absent. */
function isHandleOf(userId: string, handle: string | null | undefined): boolean {
  if (handle === null || handle === undefined) return true
  return Buffer.from(userHandleOf(userId)).equals(Buffer.from(handle, 'base64url'))
}
