/** Handles sign-in with e-mail and password, registration and sign-out. */
import type { api } from '../../../contract/api.ts'
import { safeRedirect } from '../../../contract/redirect.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { Visitor } from '../../http/caller.ts'
import { problem } from '../../http/problem.ts'
import type { Cookie } from '../../http/reply.ts'
import { Redirect, Reply } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { readSettings } from '../settings/settings.ts'
import { findDevAccount } from './dev-accounts.ts'
import { offersPasskeys } from './passkeys/relying-party.ts'
import { hashPassword, isPassword } from './passwords.ts'
import type { UserRow } from './queries.ts'
import { findUserByEmail } from './queries.ts'
import { judgeSignIn } from './security/sign-in-guesses.ts'
import { holdCredentials } from './security/token-queries.ts'
import { refuseWeakPasswordFor } from './security/weak-passwords.ts'
import { judgeSecondFactor } from './second-factor/second-factor.ts'
import { endSignIn } from './sign-ins.ts'
import { createUser, presentUser, readUser } from './users.ts'
import { hasLocalAccounts, registrationOf } from './sign-in-methods.ts'
import { welcome } from './welcome.ts'

/** Returns the sign-in methods that this visitor can use. */
export function signInMethodsFor(ctx: Context, visitor: Visitor) {
  return [
    ...(hasLocalAccounts(ctx) ? (['password'] as const) : []),
    ...(ctx.oidc ? (['oidc'] as const) : []),
    ...(offersPasskeys(ctx) ? (['passkey'] as const) : []),
    ...(ctx.config.devAccounts.length > 0 && visitor.isLocal ? (['development'] as const) : []),
  ]
}

export async function signIn(
  ctx: Context,
  { visitor, query, body }: Call<typeof api.accounts.signIn>,
) {
  const found = await findByCredentials(ctx, visitor, body)
  if (found?.user.isActive) {
    const verdict = await judgeSecondFactor(ctx, found.user.id, body.code)
    if (verdict !== 'passed') return askForCode(visitor, verdict)
    const cookies = await welcomeBy(ctx, visitor, found)
    if (cookies) return new Redirect(safeRedirect(query.redirect), { cookies })
  }
  if (visitor.prefersHtml) return new Redirect('/login', { failed: true })
  throw found && !found.user.isActive ? problem.accountDisabled() : problem.invalidCredentials()
}

/** A missing code is not a failed sign-in; a wrong code is. */
function askForCode(visitor: Visitor, verdict: 'missing' | 'wrong'): Redirect {
  const failed = verdict === 'wrong'
  if (visitor.prefersHtml) return new Redirect('/login?code=required', { failed })
  throw failed ? problem.wrongSecondFactor() : problem.secondFactorRequired()
}

export async function register(
  ctx: Context,
  { visitor, body }: Call<typeof api.accounts.register>,
) {
  if (registrationOf(ctx, await readSettings(ctx)) === 'closed') throw problem.registrationClosed()
  await refuseWeakPasswordFor(ctx, body.password, body.email)
  const passwordHash = await hashPassword(ctx, body.password)
  return atomically(ctx, async (ctx) => {
    const user = await createLocalUser(ctx, { ...body, passwordHash })
    if (!user)
      throw problem.alreadyExists({ message: 'An account with this e-mail exists already' })
    const cookies = await welcome(ctx, visitor, user, 'local')
    return new Reply(presentUser(await readUser(ctx, user.id)), cookies)
  })
}

export function createLocalUser(
  ctx: Context,
  account: { email: string; passwordHash: string; firstName?: string | undefined },
): Promise<UserRow | null> {
  return createUser(ctx, {
    id: ctx.newId(),
    email: account.email,
    passwordHash: account.passwordHash,
    oidcSubject: null,
    firstName: account.firstName ?? null,
    lastName: null,
    profileImageUrl: null,
    role: 'user',
    ageVerified: false,
  })
}

export async function signOut(ctx: Context, { visitor }: Call<typeof api.accounts.signOut>) {
  const cookie = await endSignIn(ctx, visitor.cookies)
  return new Reply({ message: 'Logged out successfully' }, [cookie])
}

export async function signOutByLink(
  ctx: Context,
  { visitor }: Call<typeof api.accounts.signOutByLink>,
) {
  const cookies = isNavigation(visitor) ? [await endSignIn(ctx, visitor.cookies)] : []
  return new Redirect('/', { cookies })
}

/**
 * True when a person navigates to the URL, and false when a page loads it as an image, a frame or
 * similar. Browsers send Sec-Fetch-Dest; very old ones only Sec-Fetch-Mode; other programs neither.
 */
function isNavigation(visitor: Visitor): boolean {
  const dest = visitor.header('sec-fetch-dest')
  return dest === null ? visitor.header('sec-fetch-mode') !== 'no-cors' : dest === 'document'
}

/** A user, with the hash that the password matched; null for a development account. */
type Found = { readonly user: UserRow; readonly passwordHash: string | null }

async function findByCredentials(
  ctx: Context,
  visitor: Visitor,
  credentials: { email: string; password: string },
): Promise<Found | null> {
  const developer = await findDevAccount(ctx, visitor, credentials)
  if (developer) return { user: developer, passwordHash: null }
  const found = hasLocalAccounts(ctx) ? await findUserByEmail(ctx, credentials.email) : undefined
  const account = { email: credentials.email, userId: found?.id }
  const matches = await judgeSignIn(ctx, visitor, account, () =>
    isPassword(credentials.password, found?.passwordHash ?? null),
  )
  if (!found || !matches || (isDevAccount(ctx, found.id) && !visitor.isLocal)) return null
  const { passwordHash, ...user } = found
  return { user, passwordHash }
}

/**
 * Signs the user in. Returns null if the password changed during the check, so that the old password does
 * not work.
 */
function welcomeBy(
  ctx: Context,
  visitor: Visitor,
  { user, passwordHash }: Found,
): Promise<Cookie[] | null> {
  if (isDevAccount(ctx, user.id)) return welcome(ctx, visitor, user, 'dev')
  return atomically(ctx, async (ctx) => {
    const held = await holdCredentials(ctx, user.id)
    if (held?.passwordHash !== passwordHash) return null
    return welcome(ctx, visitor, user, 'local')
  })
}

function isDevAccount(ctx: Context, userId: string): boolean {
  return ctx.config.devAccounts.some(({ id }) => id === userId)
}
