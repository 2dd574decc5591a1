/**
 * A sign-in in progress at the OIDC provider. The server stores nothing: the browser keeps the signed
 * state for ten minutes, and the secrets are derived from that state and our own secret. So starting a
 * sign-in costs no storage, however often it is done.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Cookie } from '../../http/reply.ts'
import type { OidcSecrets } from '../../platform/oidc-provider.ts'
import { sha256, signatureOf, signerOf } from '../../platform/signature.ts'
import { insertUsedState, isUsedState } from './sign-in-queries.ts'

export type OidcAttempt = {
  readonly secrets: OidcSecrets
  /** The page to open after the sign-in. */
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

/** Returns the attempt in this browser's cookie, if its state is this one. */
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

/** Marks the attempt as used. Returns false if it already was. Call it in the sign-in's transaction. */
export function useAttempt(ctx: Context, attempt: OidcAttempt): Promise<boolean> {
  return insertUsedState(ctx, sha256(attempt.secrets.state), attempt.expiresAt)
}

export function isUsed(ctx: Context, { secrets }: OidcAttempt): Promise<boolean> {
  return isUsedState(ctx, sha256(secrets.state))
}

/**
 * Derives the secrets from the session secret that was in use at the start. PKCE requires a verifier of
 * at least 43 characters.
 */
function secretsOf(secret: string, state: string): OidcSecrets {
  const secretOf = (use: string) => signatureOf([secret], 'oidc-secret', `${use}/${state}`)
  return {
    state,
    nonce: secretOf('nonce/1') + secretOf('nonce/2'),
    codeVerifier: secretOf('verifier/1') + secretOf('verifier/2'),
  }
}
