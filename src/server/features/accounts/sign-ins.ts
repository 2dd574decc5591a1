/**
 * Sign-ins. The cookie holds a random secret and the table its hash, so neither a stolen table nor a
 * guess grants access. A sign-out takes effect on every node at once.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Cookies, SignedInUser, Visitor } from '../../http/caller.ts'
import type { Cookie } from '../../http/reply.ts'
import { defineJob } from '../../jobs/job.ts'
import { isSignature, sha256, signatureOf } from '../../platform/signature.ts'
import { deleteExpiredChallenges } from './passkeys/passkey-queries.ts'
import {
  deleteExpired,
  deleteSignIn,
  extendSignIn,
  findSignIns,
  insertSignIn,
  recordSeen,
  replaceSecret,
} from './sign-in-queries.ts'

const cookieName = 'connect.sid'
const lifetimeMs = 7 * 24 * 3600 * 1000
// Batches lookups: requests that arrive while this many lookups run are looked up together.
const lookupsAtOnce = 3
const renewalIntervalMs = 24 * 3600 * 1000
/** The precision of the time when a sign-in was last seen. */
const seenIntervalMs = 5 * 60 * 1000

export async function findSignedInUser(
  ctx: Context,
  cookies: Cookies,
): Promise<SignedInUser | null> {
  const secret = readSecret(ctx, cookies)
  if (secret === null) return null
  const secretHash = sha256(secret)
  const found = await ctx.turns.gather(
    'sign-ins',
    secretHash,
    (hashes) => findSignIns(ctx, hashes),
    { atOnce: lookupsAtOnce },
  )
  if (!found) return null
  const { renewedAt, lastSeenAt, ...account } = found
  const user = { ...account, scopes: null }
  if (isStaleDevAccount(ctx, user.id)) return null
  const seenBefore = new Date(ctx.now().getTime() - seenIntervalMs)
  if (lastSeenAt <= seenBefore) await recordSeen(ctx, { secretHash, before: seenBefore })
  if (ctx.now().getTime() - renewedAt.getTime() < renewalIntervalMs)
    return { ...user, renewal: null }
  await extendSignIn(ctx, { secretHash, expiresAt: expiryFrom(ctx) })
  return { ...user, renewal: cookieOf(ctx, secret) }
}

/**
 * Signs a user in with a new secret. The browser's previous sign-in ends, so that a cookie planted before
 * the sign-in is useless.
 */
export async function startSignIn(
  ctx: Context,
  userId: string,
  cookies: Cookies,
  device: Pick<Visitor, 'ip' | 'userAgent'> | null = null,
): Promise<Cookie> {
  await endSignIn(ctx, cookies)
  const secret = newSecret()
  await insertSignIn(ctx, {
    secretHash: sha256(secret),
    userId,
    expiresAt: expiryFrom(ctx),
    ipAddress: device?.ip ?? null,
    userAgent: device?.userAgent ?? null,
  })
  return cookieOf(ctx, secret)
}

/** Replaces the secret of this browser's sign-in, so that copies of its cookie stop working. */
export async function rotateSignIn(ctx: Context, cookies: Cookies): Promise<Cookie[]> {
  const before = readSecret(ctx, cookies)
  if (before === null) return []
  const secret = newSecret()
  await replaceSecret(ctx, {
    before: sha256(before),
    after: sha256(secret),
    expiresAt: expiryFrom(ctx),
  })
  return [cookieOf(ctx, secret)]
}

export async function endSignIn(ctx: Context, cookies: Cookies): Promise<Cookie> {
  const secret = readSecret(ctx, cookies)
  if (secret !== null) await deleteSignIn(ctx, sha256(secret))
  return { name: cookieName, value: null }
}

/** Returns the hash that identifies the request's sign-in or key in its table. */
export function signInHashOf(
  ctx: Context,
  { cookies, key }: Pick<Visitor, 'cookies' | 'key'>,
): Uint8Array | null {
  const secret = key ?? readSecret(ctx, cookies)
  return secret === null ? null : sha256(secret)
}

/** True when the browser's cookie was signed by us, even if the sign-in has ended. */
export function hasSignedCookie(ctx: Context, cookies: Cookies): boolean {
  return readSecret(ctx, cookies) !== null
}

/**
 * True for development accounts in production: a database from development may still have their sign-ins
 * and keys.
 */
export function isStaleDevAccount(ctx: Context, userId: string): boolean {
  return ctx.config.production && userId.startsWith('dev-user-')
}

/** Checks the signature first, so that invalid cookies cause no database query. */
function readSecret(ctx: Context, cookies: Cookies): string | null {
  const [secret, signature, ...rest] = (cookies[cookieName] ?? '').split('.')
  if (!secret || !signature || rest.length > 0) return null
  return isSignature(ctx.config.sessionSecrets, 'cookie', secret, signature) ? secret : null
}

function cookieOf(ctx: Context, secret: string): Cookie {
  const signature = signatureOf(ctx.config.sessionSecrets, 'cookie', secret)
  return { name: cookieName, value: `${secret}.${signature}`, maxAgeMs: lifetimeMs }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

function expiryFrom(ctx: Context): Date {
  return new Date(ctx.now().getTime() + lifetimeMs)
}

export const sweepSignIns = defineJob({
  name: 'sweep-sign-ins',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 300,
  schedule: '17 * * * *',
  async run(ctx) {
    await deleteExpired(ctx)
    await deleteExpiredChallenges(ctx)
  },
})
