/** Account security: passwords, addresses, sign-ins (contract 14). */
import { z } from 'zod'
import { accountProblems, user } from './accounts.ts'
import { endpoint, json } from './endpoint.ts'
import { problems } from './problems.ts'
import { securityProblems } from './security-problems.ts'
import { currentPassword, emailAddress, newPassword, spokenMessage, timestamp } from './values.ts'

/** A token from a mail. It has no length limit: one that is too long is invalid like any other wrong one. */
const token = z.string()

/** Sign-in methods other than the password. */
const addedMethods = z.object({ passkeys: z.int(), secondFactor: z.boolean() })

/** The methods that a password reset removed, and those that remain. */
export const resetReport = z.object({ removed: addedMethods, remaining: addedMethods })

export const signInKinds = ['browser', 'key'] as const

const signIn = z
  .object({
    id: z.string(),
    createdAt: timestamp,
    /** Accurate to five minutes. */
    lastSeenAt: timestamp,
    ipAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
    isCurrent: z.boolean(),
    kind: z.enum(signInKinds),
  })
  .meta({ id: 'SignIn' })

export const security = {
  changePassword: endpoint({
    method: 'POST',
    path: '/api/auth/password',
    summary: 'Change the password. Every other browser is signed out.',
    who: 'user',
    // Only wrong passwords count, and only after the body was parsed, so the handler counts them.
    limit: 'none',
    body: z.object({ currentPassword, newPassword }),
    answer: json(200, spokenMessage),
    failures: [
      problems.tooManyRequests,
      accountProblems.invalidCredentials,
      securityProblems.reauthenticationRequired,
      securityProblems.notChangeable,
      securityProblems.weakPassword,
    ],
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/api/auth/password/forgot',
    summary: 'Request a mail with a link to set a new password.',
    who: 'anyone',
    limit: { policy: 'mail' },
    body: z.object({ email: emailAddress }),
    answer: json(202, spokenMessage),
    failures: [securityProblems.mailUnavailable],
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/auth/password/reset',
    summary:
      'Set a new password with the token of a mail. Ends every sign-in and key, and removes passkeys and second factors added in the last 7 days.',
    who: 'anyone',
    limit: { policy: 'auth', bucket: 'reset' },
    body: z.object({ token, newPassword }),
    answer: json(200, spokenMessage.extend(resetReport.shape)),
    failures: [
      securityProblems.invalidToken,
      securityProblems.notChangeable,
      securityProblems.weakPassword,
    ],
  }),
  changeEmail: endpoint({
    method: 'POST',
    path: '/api/auth/email',
    summary: 'Request a mail with a link to confirm a new address.',
    who: 'user',
    limit: { policy: 'mail' },
    body: z.object({ email: emailAddress, currentPassword }),
    answer: json(202, spokenMessage),
    failures: [
      accountProblems.invalidCredentials,
      securityProblems.reauthenticationRequired,
      securityProblems.notChangeable,
      securityProblems.mailUnavailable,
    ],
  }),
  confirmEmail: endpoint({
    method: 'POST',
    path: '/api/auth/email/confirm',
    summary: 'Confirm a new address with the token of a mail.',
    who: 'anyone',
    limit: { policy: 'auth', bucket: 'confirm' },
    body: z.object({ token }),
    answer: json(200, user),
    failures: [securityProblems.invalidToken],
  }),
  listSignIns: endpoint({
    method: 'GET',
    path: '/api/auth/sign-ins',
    summary: 'The sign-ins of the account, most recently used first.',
    who: 'user',
    answer: json(200, z.array(signIn)),
    failures: [],
  }),
  endSignIn: endpoint({
    method: 'DELETE',
    path: '/api/auth/sign-ins/:id',
    summary: 'End one sign-in.',
    who: 'user',
    params: z.object({ id: z.string().max(100) }),
    badParams: securityProblems.signInNotFound,
    answer: json(200, spokenMessage),
    failures: [],
  }),
  endOtherSignIns: endpoint({
    method: 'DELETE',
    path: '/api/auth/sign-ins',
    summary: 'End the sign-ins of all other browsers.',
    who: 'user',
    answer: json(200, spokenMessage),
    failures: [],
  }),
}
