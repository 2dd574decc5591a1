/** The three development accounts, for people at the same machine. They cannot be used in production. */
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

/** Creates missing accounts and returns their ids. */
export async function seedDevAccounts(ctx: Context): Promise<string[]> {
  const fresh: string[] = []
  for (const { id, email } of ctx.config.devAccounts) {
    // The usual case. It saves the several statements of `createUser`.
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

/**
 * Signs in to a development account. Returns null for a remote visitor, and if the account was deleted;
 * the next start creates it again.
 */
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

/** Updates the e-mail, because the setting may have changed since the account was created. */
async function keepEmail(ctx: Context, id: string, email: string): Promise<void> {
  const holder = await findUserByEmail(ctx, email)
  if (holder?.id === id) return
  if (holder) throw new StartError(`DEV_EMAIL_${id.slice(-1)} is the e-mail of another account`)
  await updateUser(ctx, id, { email })
}
