/**
 * Refuses passwords that attackers try first: the account's e-mail, the site's name and common passwords.
 * The list holds hashes of common passwords with at least ten letters; shorter ones are refused anyway.
 */
import { readFile } from 'node:fs/promises'
import type { Context } from '../../../context.ts'
import { problem } from '../../../http/problem.ts'
import { sha256 } from '../../../platform/signature.ts'
import { readSettings } from '../../settings/settings.ts'
import { readUser } from '../users.ts'

const listFile = new URL('./common-passwords/hashes.txt', import.meta.url)
/** The length of a stored hash: one in a hundred billion other passwords has the same. */
const keptCharacters = 8

const common = readFile(listFile, 'utf8').then((text) => new Set(text.split('\n')))

/** Refuses a weak password for an existing account. */
export async function refuseWeakPassword(
  ctx: Context,
  password: string,
  userId: string,
): Promise<void> {
  const { email } = await readUser(ctx, userId)
  await refuseWeakPasswordFor(ctx, password, email)
}

export async function refuseWeakPasswordFor(
  ctx: Context,
  password: string,
  email: string,
): Promise<void> {
  const { siteName } = await readSettings(ctx)
  if (await isWeak(password, [email, email.split('@')[0] ?? '', siteName]))
    throw problem.weakPassword({
      message: 'This password is too easy to guess, choose another one',
    })
}

async function isWeak(password: string, ownWords: readonly string[]): Promise<boolean> {
  const plain = password.trim().toLowerCase()
  if (ownWords.some((word) => word.trim().toLowerCase() === plain)) return true
  return (await common).has(hashOfCommon(plain))
}

/** Hashes like scripts/make-common-passwords.ts. */
export function hashOfCommon(password: string): string {
  return sha256(password).toString('base64url').slice(0, keptCharacters)
}
