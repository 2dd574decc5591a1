/** The second factor: codes of an authenticator app, and recovery codes (contract 14). */
import { z } from 'zod'
import { reauthenticationProblems } from './accounts.ts'
import { endpoint, json } from './endpoint.ts'
import { problems } from './problems.ts'
import { secondFactorProblems } from './second-factor-problems.ts'
import { currentPassword, spokenMessage } from './values.ts'

export const secondFactor = {
  begin: endpoint({
    method: 'POST',
    path: '/api/auth/totp',
    summary:
      'Create a secret for an authenticator app. It takes effect when one of its codes is confirmed.',
    who: 'user',
    body: z.object({ currentPassword }),
    answer: json(200, z.object({ secret: z.string(), uri: z.string() })),
    failures: [
      ...reauthenticationProblems,
      problems.alreadyExists,
      secondFactorProblems.passwordNeeded,
    ],
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/auth/totp/confirm',
    summary:
      'Turn the second factor on with a code of the app. The recovery codes are shown only once.',
    who: 'user',
    limit: { policy: 'auth', bucket: 'totp' },
    body: z.object({ code: z.string() }),
    answer: json(200, z.object({ recoveryCodes: z.array(z.string()) })),
    failures: [secondFactorProblems.invalidCode],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/auth/totp',
    summary: 'Turn the second factor off. Its recovery codes stop working.',
    who: 'user',
    body: z.object({ currentPassword }),
    answer: json(200, spokenMessage),
    failures: reauthenticationProblems,
  }),
}
