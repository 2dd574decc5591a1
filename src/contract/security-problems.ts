/** Failures when changing how to sign in to an account (contract 14). */
import { z } from 'zod'
import { failure, sentence } from './failure.ts'

export const securityProblems = {
  weakPassword: failure(
    400,
    { error: 'Validation Error', code: 'WEAK_PASSWORD' },
    { message: z.string() },
  ),
  invalidToken: failure(
    400,
    { message: 'This link has been used or has expired', code: 'INVALID_TOKEN' },
    {},
  ),
  reauthenticationRequired: failure(
    401,
    { message: 'Sign in again to change this', code: 'REAUTHENTICATION_REQUIRED' },
    {},
  ),
  notChangeable: failure(
    403,
    { message: 'This cannot be changed for this account', code: 'NOT_CHANGEABLE' },
    {},
  ),
  signInNotFound: sentence(404, 'Sign-in not found'),
  mailUnavailable: failure(
    503,
    { error: 'This site sends no mail', code: 'MAIL_UNAVAILABLE' },
    { message: z.string() },
  ),
}
