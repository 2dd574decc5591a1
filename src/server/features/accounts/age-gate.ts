/**
 * The age gate. A person who says that they are a minor is refused until their eighteenth birthday,
 * unless an administrator lifts the block.
 */
import { adultAge, ageOn } from '../../../contract/age.ts'
import type { api } from '../../../contract/api.ts'
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { Problem, problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { logActivity } from '../activity/activity.ts'
import type { AgeChange } from './queries.ts'
import { updateAge } from './queries.ts'
import { presentUser } from './users.ts'

type VerifyAge = Call<typeof api.accounts.verifyAge>

const earliestBirthYear = 1900

export async function verifyAge(ctx: Context, call: VerifyAge) {
  const { birthDate, ageVerified } = call.body
  const today = ctx.now().toISOString().slice(0, 10)
  if (birthDate !== undefined) refuseImpossible(birthDate, today)
  const isMinor = birthDate !== undefined && ageOn(today, birthDate) < adultAge
  if (isMinor) await record(ctx, call, { birthDate, ageVerified: false, underAge: true })
  const said = { ...(birthDate !== undefined && { birthDate }), ageVerified, underAge: false }
  const changed = isMinor ? undefined : await record(ctx, call, said)
  if (!changed) throw problem.underAge({ message: 'You must be at least 18 years old' })
  return {
    message: ageVerified ? 'Age verified' : 'Age verification withdrawn',
    user: presentUser(changed),
  }
}

function refuseImpossible(birthDate: string, today: string): void {
  if (birthDate <= today && Number(birthDate.slice(0, 4)) >= earliestBirthYear) return
  throw new Problem(problems.validationFailed, {
    message: 'Validation failed: birthDate must be a real date of birth',
  })
}

/**
 * Returns the latest birth date of an adult. It may not exist in the calendar, which is fine for
 * comparison.
 */
function adultsBornBy(now: Date): string {
  const today = now.toISOString().slice(0, 10)
  return `${Number(today.slice(0, 4)) - adultAge}${today.slice(4)}`
}

/**
 * Records an age statement. A minor's statement cannot be changed before the eighteenth birthday; returns
 * undefined then.
 */
function record(ctx: Context, { user, visitor }: VerifyAge, change: AgeChange) {
  return atomically(ctx, async (ctx) => {
    const changed = await updateAge(ctx, user.id, change, adultsBornBy(ctx.now()))
    await logActivity(ctx, visitor, {
      userId: user.id,
      action: 'age_verification_updated',
      feature: 'authentication',
      details: { ageVerified: change.ageVerified },
    })
    return changed
  })
}
