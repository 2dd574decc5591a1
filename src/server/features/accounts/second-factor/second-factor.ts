/**
 * The second factor: a secret shared with an authenticator app, and recovery codes for when the app is
 * lost. It turns on after the first correct code. Every code works once.
 */
import { randomBytes } from 'node:crypto'
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { judgeGuess } from '../../../http/limits/guess-limit.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { seal, unseal } from '../../../platform/sealed-secret.ts'
import { sha256 } from '../../../platform/signature.ts'
import { readSettings } from '../../settings/settings.ts'
import { findPasswordHash } from '../queries.ts'
import { recordAccountChange } from '../security/account-changes.ts'
import { confirmIdentity, lockSignedIn, reauthenticate } from '../security/reauthentication.ts'
import { readUser } from '../users.ts'
import {
  confirmSecret,
  deleteSecret,
  findConfirmed,
  lockUnconfirmed,
  insertSecret,
  listSealed,
  replaceSealed,
  takeRecoveryCode,
  takeStep,
} from './second-factor-queries.ts'
import { base32Of, stepOfCode, totpAddress } from './totp.ts'

/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20
const recoveryCodeCount = 10
/** 80 bits are sixteen letters and digits: too many to guess, short enough to type. */
const recoveryCodeBytes = 10

export async function beginSecondFactor(ctx: Context, call: Call<typeof api.secondFactor.begin>) {
  const { user, body } = call
  if ((await findPasswordHash(ctx, user.id)) === null) throw problem.passwordNeeded()
  await reauthenticate(ctx, call, body.currentPassword)
  const bytes = randomBytes(secretBytes)
  const isNew = await insertSecret(ctx, user.id, sealFor(ctx, user.id, bytes))
  if (!isNew) throw problem.alreadyExists({ message: 'Two-factor authentication is already on' })
  const [{ siteName }, { email }] = [await readSettings(ctx), await readUser(ctx, user.id)]
  const secret = base32Of(bytes)
  return { secret, uri: totpAddress({ site: siteName, email, secret }) }
}

export function confirmSecondFactor(ctx: Context, call: Call<typeof api.secondFactor.confirm>) {
  const { user, visitor, body } = call
  return atomically(ctx, async (ctx) => {
    await lockSignedIn(ctx, call)
    const waiting = await lockUnconfirmed(ctx, user.id)
    const secret = waiting && openFor(ctx, user.id, waiting.sealedSecret)
    const step = secret ? stepOfCode(secret, plain(body.code), ctx.now()) : null
    if (step === null) throw problem.invalidCode()
    const recoveryCodes = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
    const codeHashes = recoveryCodes.map((code) => sha256(plain(code)))
    await confirmSecret(ctx, user.id, { step, codeHashes })
    await recordAccountChange(ctx, visitor, { userId: user.id, action: 'totp_enabled' })
    return { recoveryCodes }
  })
}

export async function removeSecondFactor(ctx: Context, call: Call<typeof api.secondFactor.remove>) {
  const { user, visitor, body } = call
  await confirmIdentity(ctx, call, body.currentPassword)
  await atomically(ctx, async (ctx) => {
    if (await deleteSecret(ctx, user.id))
      await recordAccountChange(ctx, visitor, { userId: user.id, action: 'totp_disabled' })
  })
  return { message: 'Two-factor authentication is off' }
}

/**
 * Checks the code after the password was correct. Wrong codes are limited by account, because a person
 * who knows the password could use many addresses.
 */
export async function judgeSecondFactor(
  ctx: Context,
  userId: string,
  code: string | undefined,
): Promise<'passed' | 'missing' | 'wrong'> {
  const known = await findConfirmed(ctx, userId)
  if (!known) return 'passed'
  const given = plain(code ?? '')
  if (given === '') return 'missing'
  const rule = ctx.config.limits.auth
  const key = `auth/second-factor:user:${userId}`
  const isRight = await judgeGuess(ctx, rule ? [{ key, rule }] : [], () =>
    takeCode(ctx, userId, given, known.sealedSecret),
  )
  return isRight ? 'passed' : 'wrong'
}

async function takeCode(
  ctx: Context,
  userId: string,
  code: string,
  sealedSecret: Uint8Array,
): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return takeRecoveryCode(ctx, userId, sha256(code))
  const secret = openFor(ctx, userId, sealedSecret)
  const step = secret && stepOfCode(secret, code, ctx.now())
  return step !== null && takeStep(ctx, userId, step)
}

/**
 * Encrypts stored secrets again with the first of SECRET_KEYS, so that older keys can be removed. Returns
 * their number.
 */
export async function resealSecrets(ctx: Context): Promise<number> {
  const [first] = ctx.config.secretKeys
  let resealed = 0
  for (const { userId, sealedSecret: before } of await listSealed(ctx)) {
    if (unseal(first === undefined ? [] : [first], { purpose: 'totp', owner: userId }, before))
      continue
    const secret = openFor(ctx, userId, before)
    const after = secret && sealFor(ctx, userId, secret)
    if (after && (await replaceSealed(ctx, userId, { before, after }))) resealed += 1
  }
  return resealed
}

function sealFor(ctx: Context, owner: string, secret: Uint8Array): Buffer {
  return seal(ctx.config.secretKeys, { purpose: 'totp', owner }, secret)
}

/** Returns null when the encryption key is no longer in SECRET_KEYS. Recovery codes still work then. */
function openFor(ctx: Context, owner: string, sealed: Uint8Array): Buffer | null {
  const secret = unseal(ctx.config.secretKeys, { purpose: 'totp', owner }, sealed)
  if (!secret)
    ctx.log.error(
      { event: 'secret_not_opened', userId: owner },
      'no key in SECRET_KEYS decrypts the secret of a second factor',
    )
  return secret
}

/** Returns a code such as 'abcd-efgh-ijkl-mnop'. */
function newRecoveryCode(): string {
  const letters = base32Of(randomBytes(recoveryCodeBytes)).toLowerCase()
  return letters.match(/.{4}/g)?.join('-') ?? letters
}

/** Normalises a typed code: ignores case, spaces and hyphens. */
function plain(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase()
}
