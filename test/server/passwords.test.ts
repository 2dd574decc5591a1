/** Many password checks at once: they take turns, file reads are not delayed, and the queue has a limit. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  hashPassword,
  isPassword,
  passwordCost,
} from '../../src/server/features/accounts/passwords.ts'
import { Problem } from '../../src/server/http/problem.ts'

test('a file is read while many passwords wait, not after them', async () => {
  let done = 0
  const crowd = Array.from({ length: 12 }, async () => {
    await isPassword('wrong', null)
    done += 1
  })
  await readFile(import.meta.filename)
  expect(done).toBeLessThan(6)
  await Promise.all(crowd)
})

test('past the end of the line a password is refused with 503, and the next crowd is served', async () => {
  const crowd = Array.from({ length: 150 }, () =>
    hashPassword({ passwordCost }, 'a password').then(
      () => 'done',
      (error: unknown) => error,
    ),
  )
  const outcomes = await Promise.all(crowd)
  const refusals = outcomes.filter((outcome) => outcome instanceof Problem)
  expect(refusals.length).toBeGreaterThanOrEqual(40)
  expect(refusals[0]).toMatchObject({
    failure: { status: 503 },
    body: { message: 'Too many passwords are being checked, please try again' },
    headers: { 'Retry-After': '3' },
  })
  expect(outcomes.filter((outcome) => outcome === 'done').length).toBeGreaterThan(0)
  expect(await isPassword('a password', await hashPassword({ passwordCost }, 'a password'))).toBe(
    true,
  )
})

test('no account has the password that is hashed for unknown accounts', async () => {
  expect(await isPassword('no account has this password', null)).toBe(false)
})
