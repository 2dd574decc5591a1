/**
 * Hashes passwords: Argon2id with OWASP's recommended parameters. Hashing runs on the thread pool that
 * also does file access, so it never uses all threads, and its queue is short.
 */
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { Context } from '../../context.ts'
import { unavailable } from '../../http/problem.ts'
import { Semaphore } from '../../platform/concurrency/semaphore.ts'

type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

declare module '../../context.ts' {
  interface Context {
    /** The cost of a password hash. It is not a setting, so that no site can lower it. */
    readonly passwordCost: PasswordCost
  }
}

export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Leaves one processor free, and two of libuv's four threads.
const hashesAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
const semaphore = new Semaphore({ atOnce: hashesAtOnce, maxWaiting: 100 })
const longestWaitMs = 30_000

// A hash that no password matches. Checking it makes an unknown e-mail take as long as a wrong password.
const decoyHash = await hash('no account has this password', passwordCost)

export function hashPassword(
  ctx: Pick<Context, 'passwordCost'>,
  password: string,
): Promise<string> {
  return inTurn(() => hash(password, ctx.passwordCost))
}

export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const matches = await inTurn(() => verify(kept ?? decoyHash, password))
  return matches && kept !== null
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(longestWaitMs)
  const release = await semaphore.acquire({ signal }).catch(() => {
    throw unavailable('Too many passwords are being checked, please try again')
  })
  try {
    return await work()
  } finally {
    release()
  }
}
