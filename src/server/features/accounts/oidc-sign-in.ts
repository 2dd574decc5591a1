/**
 * Signs in through an OIDC provider: authorization code with PKCE, state and nonce. The browser's cookie
 * holds the attempt, which works once.
 */
import { roles } from '../../../contract/accounts.ts'
import type { api } from '../../../contract/api.ts'
import { safeRedirect } from '../../../contract/redirect.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { Visitor } from '../../http/caller.ts'
import { Problem, problem } from '../../http/problem.ts'
import { Redirect } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { isStorable } from '../../http/storable-text.ts'
import { OidcUnreachable } from '../../platform/oidc-failures.ts'
import type { OidcClaims, OidcProvider } from '../../platform/oidc-provider.ts'
import { sha256 } from '../../platform/signature.ts'
import { logActivity } from '../activity/activity.ts'
import type { Notice } from '../mail/mail.ts'
import { changeRoleByClaim } from './administration.ts'
import { signInAsDeveloper } from './dev-accounts.ts'
import type { OidcAttempt } from './oidc-attempt.ts'
import { beginAttempt, forgetAttempt, isUsed, readAttempt, useAttempt } from './oidc-attempt.ts'
import type { UserRow } from './queries.ts'
import { adoptLocalUser, findUserBySubject } from './queries.ts'
import { deleteKeysOf } from './keys/key-queries.ts'
import { deletePasskeysOf } from './passkeys/passkey-queries.ts'
import { deleteSecret } from './second-factor/second-factor-queries.ts'
import { recordAccountChange } from './security/account-changes.ts'
import { endTokens } from './security/account-tokens.ts'
import { endAllSignIns } from './sign-in-queries.ts'
import { createUser } from './users.ts'
import { welcome } from './welcome.ts'

/** The maximum of OIDC Core. */
const longestSubject = 255

/**
 * Handles GET /api/login: redirects to the provider if there is one. Otherwise signs the developer in, or
 * shows the form.
 */
export async function beginSignIn(
  ctx: Context,
  { visitor, query }: Call<typeof api.accounts.startSignIn>,
) {
  const target = safeRedirect(query.redirect)
  if (ctx.oidc) return goToProvider(ctx, ctx.oidc, target)
  const developer = ctx.config.production ? null : await signInAsDeveloper(ctx, visitor, 1, target)
  if (developer) return developer
  return new Redirect(target === '/' ? '/login' : `/login?redirect=${encodeURIComponent(target)}`)
}

export async function finishSignIn(
  ctx: Context,
  { visitor, query }: Call<typeof api.accounts.finishSignIn>,
) {
  if (!ctx.oidc) throw problem.notFound()
  try {
    // The state must match the one in this browser's cookie.
    const attempt = readAttempt(ctx, visitor.cookies, query['state'])
    if (!attempt) throw problem.signInFailed()
    const user = await redeem(ctx, ctx.oidc, visitor, query, attempt)
    const cookies = await welcome(ctx, visitor, user, 'oidc')
    return new Redirect(attempt.redirect, { cookies: [...cookies, forgetAttempt] })
  } catch (error) {
    if (error instanceof Problem && visitor.prefersHtml)
      return new Redirect('/login', { cookies: [forgetAttempt], failed: true })
    throw error
  }
}

async function goToProvider(ctx: Context, provider: OidcProvider, redirect: string) {
  const { secrets, cookie } = beginAttempt(ctx, redirect)
  const url = await provider.begin(secrets).catch((error: unknown) => {
    throw refusal(ctx, error)
  })
  return new Redirect(url, { cookies: [cookie] })
}

/**
 * Redeems the code, one request at a time: a provider that receives a code twice revokes the tokens that
 * it issued.
 */
function redeem(
  ctx: Context,
  provider: OidcProvider,
  visitor: Visitor,
  query: Readonly<Record<string, string>>,
  attempt: OidcAttempt,
): Promise<UserRow> {
  const { secrets } = attempt
  return ctx.turns.inTurn(`oidc:${secrets.state}`, async () => {
    if (await isUsed(ctx, attempt)) throw refusal(ctx, 'the response was used before')
    const answer = new URLSearchParams(query)
    const claims = await provider.finish(answer, secrets).catch((error: unknown) => {
      throw refusal(ctx, error)
    })
    return findOrCreateUser(ctx, visitor, claims, attempt)
  })
}

function refusal(ctx: Context, error: unknown): Problem {
  ctx.log.warn({ event: 'oidc_failed', reason: String(error) }, 'OIDC sign-in failed')
  return error instanceof OidcUnreachable ? problem.providerUnreachable() : problem.signInFailed()
}

async function findOrCreateUser(
  ctx: Context,
  visitor: Visitor,
  claims: OidcClaims,
  attempt: OidcAttempt,
): Promise<UserRow> {
  const role = roles.find((candidate) => candidate === claims.role)
  const user = await atomically(ctx, async (ctx) => {
    if (!(await useAttempt(ctx, attempt))) throw refusal(ctx, 'the response was used before')
    const subject = claims.sub
    if (subject.length > longestSubject || !isStorable(claims))
      throw refusal(ctx, 'the claims cannot be stored')
    const user =
      (await findUserBySubject(ctx, subject)) ??
      (await adoptByEmail(ctx, visitor, claims)) ??
      (await createFromClaims(ctx, claims, role)) ??
      // A concurrent request of the same person may have created the user.
      (await findUserBySubject(ctx, subject))
    if (!user) throw refusal(ctx, 'the id or the e-mail belongs to another account')
    return user
  })
  if (role === undefined || role === user.role) return user
  // Runs in its own transaction, because a role change must lock all super_admins before it locks an
  // account.
  return (await changeRoleByClaim(ctx, visitor, { id: user.id, role })) ?? user
}

/**
 * Links a local account to the provider by e-mail, if the provider has verified that e-mail. This site
 * never verified it: the person who registered it, knows the password or is signed in may be someone
 * else. So all existing access ends.
 */
async function adoptByEmail(
  ctx: Context,
  visitor: Visitor,
  claims: OidcClaims,
): Promise<UserRow | undefined> {
  if (claims.email === null || !claims.emailVerified) return undefined
  const adopted = await adoptLocalUser(ctx, { email: claims.email, subject: claims.sub })
  if (!adopted) return undefined
  const { id: userId } = adopted
  await endTokens(ctx, userId)
  await endAllSignIns(ctx, userId)
  const details = { which: 'all', by: 'provider' }
  const ended = { action: 'sign_in_ended', feature: 'authentication' } as const
  await logActivity(ctx, visitor, { userId, ...ended, details })
  const record = (action: Notice) => recordAccountChange(ctx, visitor, { userId, action, details })
  if (await deleteKeysOf(ctx, userId)) await record('key_removed')
  if (await deletePasskeysOf(ctx, userId)) await record('passkey_removed')
  if (await deleteSecret(ctx, userId)) await record('totp_disabled')
  return adopted
}

function createFromClaims(ctx: Context, claims: OidcClaims, role: UserRow['role'] = 'user') {
  const id = userIdOf(claims.sub)
  return createUser(ctx, {
    id,
    email: claims.email ?? `${id}@oidc.invalid`,
    passwordHash: null,
    oidcSubject: claims.sub,
    firstName: claims.firstName?.slice(0, 100) ?? null,
    lastName: claims.lastName?.slice(0, 100) ?? null,
    profileImageUrl: /^https:\/\/\S{1,2000}$/.exec(claims.picture ?? '')?.[0] ?? null,
    role,
    ageVerified: false,
  })
}

/**
 * Returns an id for a new user. A subject may contain any ASCII character, but our ids are used in file
 * names and paths, and some prefixes are reserved.
 */
function userIdOf(subject: string): string {
  if (/^(?!dev-user-|oidc-)[A-Za-z0-9_-]{1,100}$/.test(subject)) return subject
  return `oidc-${sha256(subject).toString('base64url')}`
}
