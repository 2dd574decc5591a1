/**
 * A sign-in that is at the OIDC provider. Nothing is kept of it here: the browser carries the state,
 * signed and for ten minutes, and what only we may know follows from the state and our secret. So
 * beginning costs nothing, however often and by whomever it is done.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Cookie } from '../../http/reply.ts'
import type { OidcSecrets } from '../../platform/oidc-provider.ts'
import { sha256, signatureOf, signerOf } from '../../platform/signature.ts'
import { insertUsedState, isUsedState } from './sign-in-queries.ts'

export type OidcAttempt = {
  readonly secrets: OidcSecrets
  /** Where to go afterwards. */
  readonly redirect: string
  readonly expiresAt: Date
}

const lifetimeMs = 10 * 60 * 1000
const cookieName = 'oidc_state'

export const forgetAttempt: Cookie = { name: cookieName, value: null }

export function beginAttempt(ctx: Context, redirect: string): OidcAttempt & { cookie: Cookie } {
  const state = randomBytes(32).toString('base64url')
  const expiresAt = new Date(ctx.now().getTime() + lifetimeMs)
  const text = [state, expiresAt.getTime(), Buffer.from(redirect).toString('base64url')].join('.')
  const value = `${text}.${signatureOf(ctx.config.sessionSecrets, 'oidc-attempt', text)}`
  const cookie = { name: cookieName, value, maxAgeMs: lifetimeMs }
  return { secrets: secretsOf(ctx.config.sessionSecrets[0], state), redirect, expiresAt, cookie }
}

/** The attempt that this browser was sent away with, where it is the one with this state. */
export function readAttempt(
  ctx: Context,
  cookies: Readonly<Record<string, string | undefined>>,
  state: string | undefined,
): OidcAttempt | null {
  const parts = (cookies[cookieName] ?? '').split('.')
  const [kept = '', expiry = '', redirect = '', signature = ''] = parts
  const text = [kept, expiry, redirect].join('.')
  if (parts.length !== 4 || kept !== state) return null
  const signer = signerOf(ctx.config.sessionSecrets, 'oidc-attempt', text, signature)
  if (signer === null) return null
  const expiresAt = new Date(Number(expiry))
  if (expiresAt <= ctx.now()) return null
  const target = Buffer.from(redirect, 'base64url').toString()
  return { secrets: secretsOf(signer, kept), redirect: target, expiresAt }
}

/** In the transaction that the sign-in is; false the second time. */
export function useAttempt(ctx: Context, attempt: OidcAttempt): Promise<boolean> {
  return insertUsedState(ctx, sha256(attempt.secrets.state), attempt.expiresAt)
}

export function isUsed(ctx: Context, { secrets }: OidcAttempt): Promise<boolean> {
  return isUsedState(ctx, sha256(secrets.state))
}

/** By the secret that the attempt began with. A verifier has to have 43 characters or more. */
function secretsOf(secret: string, state: string): OidcSecrets {
  const secretOf = (use: string) => signatureOf([secret], 'oidc-secret', `${use}/${state}`)
  return {
    state,
    nonce: secretOf('nonce/1') + secretOf('nonce/2'),
    codeVerifier: secretOf('verifier/1') + secretOf('verifier/2'),
  }
}
