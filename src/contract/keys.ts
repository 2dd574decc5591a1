/** API keys for programs: create, list and revoke (contract 14). */
import { z } from 'zod'
import { reauthenticationProblems } from './accounts.ts'
import { endpoint, json } from './endpoint.ts'
import { sentence } from './failure.ts'
import { keyScopes } from './key-scopes.ts'
import { currentPassword, spokenMessage, timestamp } from './values.ts'

export const maxKeys = 50

const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(keyScopes)),
    prefix: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
    expiresAt: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' })

export const keyProblems = {
  keyNotFound: sentence(404, 'Key not found'),
}

export const keys = {
  list: endpoint({
    method: 'GET',
    path: '/api/auth/keys',
    summary: 'The caller’s API keys, oldest first, without their secrets.',
    who: 'user',
    answer: json(200, z.array(apiKey)),
    failures: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/auth/keys',
    summary: 'Create an API key. Its secret is only in this response.',
    who: 'user',
    body: z.object({
      name: z.string().trim().min(1).max(100),
      scopes: z
        .array(z.enum(keyScopes))
        .min(1)
        .max(100)
        .transform((scopes) => keyScopes.filter((scope) => scopes.includes(scope))),
      expiresAt: z.iso.datetime({ offset: true }).optional(),
      currentPassword,
    }),
    answer: json(201, apiKey.extend({ key: z.string() })),
    failures: reauthenticationProblems,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/auth/keys/:id',
    summary: 'Revoke an API key.',
    who: 'user',
    params: z.object({ id: z.uuid() }),
    badParams: keyProblems.keyNotFound,
    answer: json(200, spokenMessage),
    failures: [keyProblems.keyNotFound],
  }),
}
