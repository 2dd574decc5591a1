/** The three accounts of a development start. In production they cannot be signed in to. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { Redirect } from '../../http/reply.ts'
import type { Call, Visitor } from '../../http/route.ts'
import { problem } from '../../problem.ts'
import { isSamePassword } from './passwords.ts'
import type { UserRow } from './queries.ts'
import { updateUser } from './queries.ts'
import { createUser, readUser } from './users.ts'
import { welcome } from './welcome.ts'

export async function seedDevAccounts(ctx: Context): Promise<void> {
  for (const { id, email } of ctx.config.devAccounts) {
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
    if (!made) await updateUser(ctx, id, { email, role: 'admin' })
  }
}

export async function findDevAccount(
  ctx: Context,
  credentials: { email: string; password: string },
): Promise<UserRow | null> {
  const account = ctx.config.devAccounts.find(
    ({ email, password }) =>
      email.toLowerCase() === credentials.email.toLowerCase() &&
      isSamePassword(credentials.password, password),
  )
  return account ? readUser(ctx, account.id) : null
}

export async function signInAsDeveloper(
  ctx: Context,
  visitor: Visitor,
  account: number,
  target: string,
): Promise<Redirect> {
  const developer = ctx.config.devAccounts[account - 1]
  if (!developer) throw problem.notFound()
  const user = await readUser(ctx, developer.id)
  return new Redirect(target, { cookies: await welcome(ctx, visitor, user, 'dev') })
}

export function devSignIn(ctx: Context, call: Call<typeof api.accounts.devSignIn>) {
  return signInAsDeveloper(ctx, call.visitor, call.query.account, '/')
}
