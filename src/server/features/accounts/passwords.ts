/**
 * Password hashes: Argon2id with the parameters that OWASP names for it. Hashing runs on the threads
 * that also read and write files, so it never takes all of them, and the line for it is short.
 */
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { Context } from '../../context.ts'
import { unavailable } from '../../http/problem.ts'
import { Semaphore } from '../../platform/concurrency/semaphore.ts'

type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

declare module '../../context.ts' {
  interface Context {
    /** What a password takes to be hashed; no setting, so that no site has less. */
    readonly passwordCost: PasswordCost
  }
}

export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// A processor stays free for everybody else, and two of libuv's four threads do.
const hashesAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
const semaphore = new Semaphore({ atOnce: hashesAtOnce, mostWaiting: 100 })
const longestWaitMs = 30_000

// Of a password that nobody has: an unknown e-mail costs as much time as a wrong password.
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
