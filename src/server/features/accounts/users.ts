/** Creates users, and converts them to the contract's type. */
import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import type { user } from '../../../contract/accounts.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { openCreditAccount } from '../credits/credits.ts'
import type { NewUser, UserRow } from './queries.ts'
import { findUser, insertUser } from './queries.ts'

const codeLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const codeLength = 8
const codeAttempts = 5

/**
 * Creates a user with a credit account and its welcome credits, in one transaction. Returns null when the
 * id or the e-mail is taken.
 */
export function createUser(
  ctx: Context,
  user: Omit<NewUser, 'referralCode'>,
): Promise<UserRow | null> {
  return atomically(ctx, async (ctx) => {
    for (let attempt = 0; attempt < codeAttempts; attempt += 1) {
      const made = await insertUser(ctx, { ...user, referralCode: newReferralCode() })
      if (made) {
        await openCreditAccount(ctx, made.id)
        return made
      }
    }
    return null
  })
}

export async function readUser(ctx: Context, id: string): Promise<UserRow> {
  const found = await findUser(ctx, id)
  if (!found) throw new Error(`user ${id} is gone`)
  return found
}

/** Returns only the fields of the contract, never a password hash. */
export function presentUser(row: UserRow): z.input<typeof user> {
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    profileImageUrl: row.profileImageUrl,
    role: row.role,
    isActive: row.isActive,
    ageVerified: row.ageVerified,
    birthDate: row.birthDate,
    referralCode: row.referralCode,
    referredBy: row.referredBy,
    onboardingCompleted: row.onboardingCompleted,
    interests: row.interests,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function newReferralCode(): string {
  return Array.from({ length: codeLength }, () => codeLetters[randomInt(codeLetters.length)]).join(
    '',
  )
}
