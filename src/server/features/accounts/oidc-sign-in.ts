/**
 * Signing in by an OIDC provider: authorization code with PKCE, state and nonce. What was begun is
 * kept in the database for ten minutes, bound to the browser by a cookie, and used once.
 */
import type { api } from '../../../contract/api.ts'
import { roles } from '../../../contract/accounts.ts'
import { safeRedirect } from '../../../contract/values.ts'
import { atomically } from '../../atomically.ts'
import type { Context } from '../../context.ts'
import type { Cookie } from '../../http/reply.ts'
import { Redirect } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import type { OidcClaims, OidcProvider } from '../../platform/oidc-provider.ts'
import { OidcUnreachable } from '../../platform/oidc-provider.ts'
import { Problem, problem } from '../../problem.ts'
import { sha256 } from '../../signature.ts'
import { signInAsDeveloper } from './dev-accounts.ts'
import type { UserRow } from './queries.ts'
import { findUserByEmail, findUserBySubject, updateUser } from './queries.ts'
import { insertOidcAttempt, takeOidcAttempt } from './sign-in-queries.ts'
import { createUser } from './users.ts'
import { welcome } from './welcome.ts'

const attemptLifetimeMs = 10 * 60 * 1000
const stateCookie = 'oidc_state'

/** GET /api/login: to the provider where there is one, else in, or to the form. */
export async function beginSignIn(
  ctx: Context,
  { visitor, query }: Call<typeof api.accounts.startSignIn>,
) {
  const target = safeRedirect(query.redirect)
  if (ctx.oidc) return goToProvider(ctx, ctx.oidc, target)
  if (!ctx.config.production) return signInAsDeveloper(ctx, visitor, 1, target)
  return new Redirect(target === '/' ? '/login' : `/login?redirect=${encodeURIComponent(target)}`)
}

export async function finishSignIn(
  ctx: Context,
  { visitor, query }: Call<typeof api.accounts.finishSignIn>,
) {
  if (!ctx.oidc) throw problem.notFound()
  const forget: Cookie = { name: stateCookie, value: null }
  try {
    const { claims, redirect } = await redeem(ctx, ctx.oidc, query, visitor.cookies[stateCookie])
    const user = await findOrCreateUser(ctx, claims)
    const cookie = await welcome(ctx, visitor, user, 'oidc')
    return new Redirect(redirect, { cookies: [cookie, forget] })
  } catch (error) {
    if (error instanceof Problem && visitor.prefersHtml)
      return new Redirect('/login', { cookies: [forget], failed: true })
    throw error
  }
}

async function goToProvider(ctx: Context, provider: OidcProvider, redirect: string) {
  const { url, state, nonce, codeVerifier } = await provider.begin().catch((error: unknown) => {
    throw refusal(ctx, error)
  })
  const expiresAt = new Date(ctx.now().getTime() + attemptLifetimeMs)
  const stateHash = sha256(state)
  await insertOidcAttempt(ctx, { stateHash, nonce, codeVerifier, redirect, expiresAt })
  const cookie = { name: stateCookie, value: state, maxAgeMs: attemptLifetimeMs }
  return new Redirect(url, { cookies: [cookie] })
}

/** The state must be the one this browser was sent away with, and unused. */
async function redeem(
  ctx: Context,
  provider: OidcProvider,
  query: Readonly<Record<string, unknown>>,
  cookie: string | undefined,
) {
  const { state } = query
  if (typeof state !== 'string' || state === '' || state !== cookie) throw problem.signInFailed()
  const attempt = await takeOidcAttempt(ctx, sha256(state))
  if (!attempt) throw problem.signInFailed()
  const answer = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) answer.append(name, String(value))
  const { nonce, codeVerifier, redirect } = attempt
  try {
    return { claims: await provider.finish(answer, { state, nonce, codeVerifier }), redirect }
  } catch (error) {
    throw refusal(ctx, error)
  }
}

function refusal(ctx: Context, error: unknown): Problem {
  const unreachable = error instanceof OidcUnreachable
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
  ctx.log.warn({ reason: String(error), cause }, 'OIDC sign-in failed')
  return unreachable ? problem.providerUnreachable() : problem.signInFailed()
}

function findOrCreateUser(ctx: Context, claims: OidcClaims): Promise<UserRow> {
  return atomically(ctx, async (ctx) => {
    const role = roles.find((candidate) => candidate === claims.role)
    const known = (await findUserBySubject(ctx, claims.sub)) ?? (await adoptByEmail(ctx, claims))
    if (known && (role === undefined || role === known.role)) return known
    if (known) return (await updateUser(ctx, known.id, role ? { role } : {})) ?? known
    const made = await createUser(ctx, {
      id: userIdOf(claims.sub),
      email: claims.email ?? `${userIdOf(claims.sub)}@oidc.invalid`,
      passwordHash: null,
      oidcSubject: claims.sub,
      firstName: claims.firstName?.slice(0, 100) ?? null,
      lastName: claims.lastName?.slice(0, 100) ?? null,
      profileImageUrl: claims.picture?.startsWith('https://') ? claims.picture : null,
      role: role ?? 'user',
      ageVerified: false,
    })
    if (!made) throw problem.signInFailed()
    return made
  })
}

/** A site that moves to a provider keeps its people, where the provider vouches for the e-mail. */
async function adoptByEmail(ctx: Context, claims: OidcClaims): Promise<UserRow | undefined> {
  if (claims.email === null || !claims.emailVerified) return undefined
  const found = await findUserByEmail(ctx, claims.email)
  return found && updateUser(ctx, found.id, { oidcSubject: claims.sub })
}

/** A subject may hold any ASCII; our ids stand in file names and paths. */
function userIdOf(subject: string): string {
  if (/^[A-Za-z0-9_-]{1,100}$/.test(subject) && !subject.startsWith('dev-user-')) return subject
  return `oidc-${sha256(subject).toString('base64url')}`
}
