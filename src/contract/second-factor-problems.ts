/** How a second factor can fail, at signing in and when it is turned on. */
import { failure, sentence } from './failure.ts'

export const secondFactorProblems = {
  /** The password was right: this asks for more, and is no failed sign-in. */
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
  passwordNeeded: sentence(400, 'A second factor needs an account with a password'),
}
