/**
 * `npm run admin`: what only someone with the machine may do, such as making the first super_admin.
 * On the embedded database the service has to be stopped meanwhile.
 */
import { randomBytes } from 'node:crypto'
import { parseConfig, readEnvironment } from './config.ts'
import type { Context } from './context.ts'
import { openContext } from './context.ts'
import { setPassword, setRole } from './features/accounts/administration.ts'
import { createLocalUser } from './features/accounts/local-accounts.ts'
import { hashPassword } from './features/accounts/passwords.ts'
import { reasonOf } from './platform/start-error.ts'

const usage = `usage: npm run admin -- <command>
  create <email>    make a local account and print its password
  password <email>  give a local account a new password and print it
  promote <email>   make a user super_admin`

type Command = (ctx: Context, email: string) => Promise<string>

const commands: Readonly<Record<string, Command>> = {
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
  async promote(ctx, email) {
    await setRole(ctx, email, 'super_admin')
    return `${email} is super_admin`
  },
}

function newPassword(): string {
  return randomBytes(12).toString('base64url')
}

async function run(name = '', email = ''): Promise<string> {
  const command = commands[name]
  if (!command || !/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error(usage)
  const config = parseConfig({
    ...readEnvironment(process.cwd(), process.env),
    LOG_LEVEL: 'error',
  })
  const { ctx, close } = await openContext(config, [])
  try {
    return await command(ctx, email)
  } finally {
    await close()
  }
}

try {
  const [, , name, email] = process.argv
  process.stdout.write(`${await run(name, email)}\n`)
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 1
}
