/** Failures of the second factor, at sign-in and when turning it on. */
import { failure, sentence } from './failure.ts'

export const secondFactorProblems = {
  /** The password was correct: this asks for the code, and is not a failed sign-in. */
  secondFactorRequired: failure(
    401,
    { message: 'Enter the code of your authenticator app', code: 'SECOND_FACTOR_REQUIRED' },
    {},
  ),
  wrongSecondFactor: failure(
    401,
    { message: 'Invalid credentials', code: 'SECOND_FACTOR_REQUIRED' },
    {},
  ),
  invalidCode: failure(400, { message: 'This code is not valid', code: 'INVALID_CODE' }, {}),
  passwordNeeded: sentence(400, 'Two-factor authentication needs an account with a password'),
}
