/** What a site is and offers, for clients to ask before anyone has signed in (contract 13). */
import { z } from 'zod'
import { tierNames } from './credits.ts'
import { endpoint, json } from './endpoint.ts'
import { paymentMethods } from './payments.ts'

/** A source of pictures that sessions can be filled from. */
const feedOffer = z.object({
  id: z.string(),
  name: z.string(),
  /** How one of its communities is written. */
  example: z.string(),
  /** Whether each person has to connect an account of theirs first. */
  needsConnection: z.boolean(),
})

export const site = {
  read: endpoint({
    method: 'GET',
    path: '/api/site',
    summary: 'Its name and version, the ways in, and what is turned on.',
    who: 'anyone',
    answer: json(
      200,
      z
        .object({
          name: z.string(),
          version: z.string(),
          registration: z.enum(['open', 'closed']),
          signIn: z.array(z.enum(['password', 'oidc', 'passkey', 'development'])),
          credits: z.enum(['on', 'off']),
          tierNames,
          mail: z.boolean(),
          feeds: z.array(feedOffer),
          captions: z.boolean(),
          paymentMethods: z.array(z.enum(paymentMethods)),
          uploadLimitMb: z.int(),
          /** Where the code of this version is; null where nobody has said so. */
          sourceUrl: z.string().nullable(),
          /** BCP 47 tags. */
          languages: z.array(z.string()),
        })
        .meta({ id: 'Site' }),
    ),
    failures: [],
  }),
}
