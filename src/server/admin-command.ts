/**
 * `npm run admin`: what only someone with the machine may do, such as making the first super_admin
 * or letting people in again. On the embedded database the service has to be stopped meanwhile.
 */
import { randomBytes } from 'node:crypto'
import { parseConfig, readEnvironment } from './config.ts'
import type { Context } from './context.ts'
import { openContext } from './context.ts'
import {
  changeAccountByEmail,
  findSuperAdmins,
  setPassword,
} from './features/accounts/administration.ts'
import { createLocalUser } from './features/accounts/local-accounts.ts'
import { hashPassword } from './features/accounts/passwords.ts'
import { reasonOf } from './platform/start-error.ts'
import { Problem } from './problem.ts'

const usage = `usage: npm run admin -- <command>
  list                 name the super_admins who can act
  promote <email>      make a user super_admin
  demote <email>       make a super_admin or admin an ordinary user
  create <email>       make a local account and print its password
  password <email>     give a local account a new password and print it
  reactivate <email>   let a disabled account in again
On the embedded database (no DATABASE_URL) stop the service first.`

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
    const passwordHash = await hashPassword(password)
    const user = await createLocalUser(ctx, { email: email.toLowerCase(), passwordHash })
    if (!user) throw new Error(`an account for ${email} exists already`)
    return `made ${email} with the password ${password}`
  },
  async password(ctx, email) {
    const password = newPassword()
    await setPassword(ctx, email, password)
    return `${email} has the password ${password}, and is signed out everywhere`
  },
  async reactivate(ctx, email) {
    await changeAccountByEmail(ctx, email, { isActive: true })
    return `${email} can sign in again`
  },
}

/** 2: it was not understood. 1: it could not be done. */
class Misunderstood extends Error {}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Problem ? wordsOf(error) : reasonOf(error)}\n`)
  process.exitCode = error instanceof Misunderstood ? 2 : 1
}

async function run([name = '', email, ...rest]: readonly string[]): Promise<string> {
  if (name === '--help' || name === 'help') return usage
  if (rest.length > 0) throw new Misunderstood(usage)
  if (name === 'list' && email === undefined) return withContext(listSuperAdmins)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new Misunderstood(usage)
  return withContext((ctx) => command(ctx, email))
}

async function withContext(work: (ctx: Context) => Promise<string>): Promise<string> {
  const environment = readEnvironment(process.cwd(), process.env)
  const config = parseConfig({ ...environment, LOG_LEVEL: 'error' })
  const { ctx, close } = await openContext(config, [])
  try {
    return await work(ctx)
  } finally {
    await close()
  }
}

async function listSuperAdmins(ctx: Context): Promise<string> {
  const found = await findSuperAdmins(ctx)
  return found.length === 0 ? 'nobody is super_admin' : found.map(({ email }) => email).join('\n')
}

function newPassword(): string {
  return randomBytes(12).toString('base64url')
}

function wordsOf({ body }: Problem): string {
  return String(body['message'])
}
