/**
 * The commands of `npm run admin`, which only someone with access to the machine can run, such as making
 * the first super_admin or reactivating an account.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import type { KeyRow } from '../features/accounts/keys/key-queries.ts'
import { findSuperAdmins } from '../features/accounts/administration-queries.ts'
import {
  changeAccountByEmail,
  endSignInsByEmail,
  listKeysByEmail,
  removeSecondFactorByEmail,
  setPassword,
} from '../features/accounts/administration.ts'
import { createLocalUser } from '../features/accounts/local-accounts.ts'
import { hashPassword } from '../features/accounts/passwords.ts'
import { resealSecrets } from '../features/accounts/second-factor/second-factor.ts'
import { resealConnections } from '../features/feeds/connections/connection-keys.ts'
import { renewStoredAddresses } from '../features/files/stored-addresses.ts'
import { describeReset } from '../features/mail/mail.ts'
import { Problem } from '../http/problem.ts'
import { reasonOf } from '../platform/start-error.ts'

const usage = `usage: npm run admin -- <command>
  list                   list the active super_admins
  promote <email>        make a user super_admin
  demote <email>         make a super_admin or admin an ordinary user
  create <email>         make a local account and print its password
  password <email>       give a local account a new password and print it
  second-factor <email>  turn off two-factor authentication of an account
  sign-out <email>       end all sign-ins of an account
  keys <email>           list an account's API keys, without their secrets
  reactivate <email>     enable a disabled account
  renew-secrets          sign and encrypt again with the current secret, so that previous ones can be removed
These commands also work while the service is running.`

/** The text to print, and the exit code: 1 for a failed command, 2 for an unknown one. */
export type CommandResult = { readonly exitCode: number; readonly text: string }

type AdminAction = (ctx: Context) => Promise<string>

/** The arguments were not a command. */
export class Misunderstood extends Error {}

/** Runs a command. `within` provides its context. */
export async function runCommand(
  words: readonly string[],
  within: (run: AdminAction) => Promise<string>,
): Promise<CommandResult> {
  if (words[0] === '--help' || words[0] === 'help') return { exitCode: 0, text: usage }
  try {
    return { exitCode: 0, text: await within(parseCommand(words)) }
  } catch (error) {
    const text = error instanceof Problem ? String(error.body['message']) : reasonOf(error)
    return { exitCode: error instanceof Misunderstood ? 2 : 1, text }
  }
}

export function parseCommand([name = '', email, ...rest]: readonly string[]): AdminAction {
  if (rest.length > 0) throw new Misunderstood(usage)
  const [forAll, command] = [ownOf(commandsForAll, name), ownOf(commands, name)]
  if (forAll && email === undefined) return forAll
  if (!command || email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new Misunderstood(usage)
  return (ctx: Context) => command(ctx, email)
}

function ownOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

type Command = (ctx: Context, email: string) => Promise<string>

const commands: Readonly<Record<string, Command>> = {
  async promote(ctx, email) {
    await changeAccountByEmail(ctx, email, { role: 'super_admin' })
    return `${email} is super_admin`
  },
  async demote(ctx, email) {
    await changeAccountByEmail(ctx, email, { role: 'user' })
    return `${email} is an ordinary user`
  },
  async create(ctx, email) {
    const password = newPassword()
    const passwordHash = await hashPassword(ctx, password)
    const user = await createLocalUser(ctx, { email: email.toLowerCase(), passwordHash })
    if (!user) throw new Error(`an account for ${email} already exists`)
    return `created ${email} with the password ${password}`
  },
  async password(ctx, email) {
    const password = newPassword()
    const report = await setPassword(ctx, email, password)
    return `${email} has the new password ${password} and is signed out everywhere\n${describeReset(report)}`
  },
  async 'sign-out'(ctx, email) {
    await endSignInsByEmail(ctx, email)
    return `${email} is signed out everywhere`
  },
  async 'second-factor'(ctx, email) {
    const isRemoved = await removeSecondFactorByEmail(ctx, email)
    return isRemoved
      ? `${email} now signs in without two-factor authentication`
      : `${email} does not use two-factor authentication`
  },
  async keys(ctx, email) {
    const found = await listKeysByEmail(ctx, email)
    return found.length === 0 ? `${email} has no keys` : found.map(lineOfKey).join('\n')
  },
  async reactivate(ctx, email) {
    await changeAccountByEmail(ctx, email, { isActive: true })
    return `${email} can sign in again`
  },
}

const commandsForAll: Readonly<Record<string, (ctx: Context) => Promise<string>>> = {
  async list(ctx) {
    const found = await findSuperAdmins(ctx)
    return found.length === 0
      ? 'there is no active super_admin'
      : found.map(({ email }) => email).join('\n')
  },
  async 'renew-secrets'(ctx) {
    const rows = await renewStoredAddresses(ctx)
    const secrets = await resealSecrets(ctx)
    const keys = await resealConnections(ctx)
    return `signed the addresses in ${rows} rows again, and encrypted ${secrets} secrets of second factors and ${keys} keys of connections again`
  },
}

function lineOfKey({ name, prefix, scopes, lastUsedAt, expiresAt }: KeyRow): string {
  const used = lastUsedAt ? `last used ${lastUsedAt.toISOString()}` : 'never used'
  const ends = expiresAt ? [`expires ${expiresAt.toISOString()}`] : []
  // In quotes, because people choose the names.
  return [`${prefix}…  ${JSON.stringify(name)}`, scopes.join(' '), used, ...ends].join('  ')
}

function newPassword(): string {
  return randomBytes(12).toString('base64url')
}
