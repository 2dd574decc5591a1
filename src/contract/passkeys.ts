/** Passkeys: add, rename and remove them, and sign in with one (contract 14). */
import { z } from 'zod'
import { accountProblems, reauthenticationProblems, user } from './accounts.ts'
import { endpoint, json } from './endpoint.ts'
import { failure, sentence } from './failure.ts'
import { problems } from './problems.ts'
import { currentPassword, spokenMessage, timestamp } from './values.ts'

export const maxPasskeys = 50

/** An encoded field. The limit is above the output of any authenticator. */
const encoded = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/)
const name = z.string().trim().min(1).max(100)

const passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'Passkey' })

/** The options of WebAuthn level 3, in their JSON form. */
const options = z.looseObject({ challenge: z.string() })

const credential = {
  id: encoded.min(1),
  rawId: encoded,
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}).default({}),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
}

const registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(50)).max(20).optional(),
  }),
})

const authentication = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.nullish(),
  }),
})

export const passkeyProblems = {
  invalidPasskey: failure(
    400,
    { message: 'This passkey could not be added', code: 'INVALID_PASSKEY' },
    {},
  ),
  passkeyNotFound: sentence(404, 'Passkey not found'),
  lastSignInMethod: failure(
    400,
    { message: 'This is the last sign-in method of the account', code: 'LAST_SIGN_IN_METHOD' },
    {},
  ),
}

const named = { params: z.object({ id: z.uuid() }), badParams: passkeyProblems.passkeyNotFound }

export const passkeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/auth/passkeys',
    summary: 'The caller’s passkeys, oldest first.',
    who: 'user',
    answer: json(200, z.array(passkey)),
    failures: [],
  }),
  registrationOptions: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys/options',
    summary: 'Options for a browser to create a passkey for the account.',
    who: 'user',
    body: z.object({ currentPassword }),
    answer: json(200, options),
    failures: reauthenticationProblems,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys',
    summary: 'Add the passkey that a browser created.',
    who: 'user',
    body: z.object({ name, response: registration }),
    answer: json(201, passkey),
    failures: [passkeyProblems.invalidPasskey],
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api/auth/passkeys/:id',
    summary: 'Rename a passkey.',
    who: 'user',
    ...named,
    body: z.object({ name }),
    answer: json(200, passkey),
    failures: [],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/auth/passkeys/:id',
    summary: 'Remove a passkey.',
    who: 'user',
    ...named,
    answer: json(200, spokenMessage),
    failures: [passkeyProblems.lastSignInMethod],
  }),
  signInOptions: endpoint({
    method: 'POST',
    path: '/api/login/passkey/options',
    summary: 'Options for a browser to sign in with a passkey.',
    who: 'anyone',
    answer: json(200, options),
    failures: [],
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/login/passkey',
    summary: 'Sign in with a passkey.',
    who: 'anyone',
    limit: { policy: 'auth', bucket: 'passkey' },
    body: z.object({ response: authentication }),
    answer: json(200, z.object({ user })),
    failures: [accountProblems.invalidCredentials, problems.accountDisabled],
  }),
}
