/**
 * The three accounts of a development start, for whoever sits at the machine. In production they
 * cannot be signed in to.
 */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import type { Visitor } from '../../http/caller.ts'
import { problem } from '../../http/problem.ts'
import { Redirect } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { isSameText } from '../../platform/signature.ts'
import { StartError } from '../../platform/start-error.ts'
import type { UserRow } from './queries.ts'
import { findUser, findUserByEmail, updateUser } from './queries.ts'
import { createUser } from './users.ts'
import { welcome } from './welcome.ts'

/** Answers with the ids of those that were not there before. */
export async function seedDevAccounts(ctx: Context): Promise<string[]> {
  const fresh: string[] = []
  for (const { id, email } of ctx.config.devAccounts) {
    // As at most starts; trying to make one takes several statements.
    if ((await findUser(ctx, id))?.email === email) continue
    const made = await createUser(ctx, {
      id,
      email,
      passwordHash: null,
      oidcSubject: null,
      firstName: 'Dev',
      lastName: id.slice(-1),
      profileImageUrl: null,
      role: 'admin',
      ageVerified: true,
    })
    if (made) fresh.push(id)
    else await keepEmail(ctx, id, email)
  }
  return fresh
}

export async function findDevAccount(
  ctx: Context,
  visitor: Visitor,
  credentials: { email: string; password: string },
): Promise<UserRow | null> {
  if (!visitor.isLocal) return null
  const account = ctx.config.devAccounts.find(
    ({ email, password }) =>
      email.toLowerCase() === credentials.email.toLowerCase() &&
      isSameText(credentials.password, password),
  )
  return account ? ((await findUser(ctx, account.id)) ?? null) : null
}

/** Null from afar, and where the account was deleted; the next start makes it anew. */
export async function signInAsDeveloper(
  ctx: Context,
  visitor: Visitor,
  account: number,
  target: string,
): Promise<Redirect | null> {
  const developer = visitor.isLocal ? ctx.config.devAccounts[account - 1] : undefined
  const user = developer && (await findUser(ctx, developer.id))
  if (!user) return null
  return new Redirect(target, { cookies: await welcome(ctx, visitor, user, 'dev') })
}

export async function devSignIn(
  ctx: Context,
  { visitor, query }: Call<typeof api.accounts.devSignIn>,
) {
  if (ctx.config.production) throw problem.notFound()
  if (!/^[123]$/.test(query.account))
    throw problem.validationFailed({ message: 'Validation failed: account must be 1, 2 or 3' })
  const signedIn = await signInAsDeveloper(ctx, visitor, Number(query.account), '/')
  if (!signedIn) throw problem.notFound()
  return signedIn
}

/** The setting may have changed since the account was made. */
async function keepEmail(ctx: Context, id: string, email: string): Promise<void> {
  const holder = await findUserByEmail(ctx, email)
  if (holder?.id === id) return
  if (holder) throw new StartError(`DEV_EMAIL_${id.slice(-1)} is the e-mail of another account`)
  await updateUser(ctx, id, { email })
}
