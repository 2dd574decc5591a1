/** The identity and features of a site, for clients to read before a sign-in (contract 13). */
import { z } from 'zod'
import { tierNames } from './credits.ts'
import { endpoint, json } from './endpoint.ts'
import { paymentMethods } from './payments.ts'

/** A source of pictures that sessions can be filled from. */
const feedOffer = z.object({
  id: z.string(),
  name: z.string(),
  /** An example of a subfeed's name in this source. */
  example: z.string(),
  /** True if each person must connect their own account first. */
  needsConnection: z.boolean(),
})

export const site = {
  read: endpoint({
    method: 'GET',
    path: '/api/site',
    summary: 'The site’s name and version, its sign-in methods, and its enabled features.',
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
          /** True if the community is open to guests, who have no account. */
          publicCommunity: z.boolean(),
          mail: z.boolean(),
          feeds: z.array(feedOffer),
          captions: z.boolean(),
          paymentMethods: z.array(z.enum(paymentMethods)),
          uploadLimitMb: z.int(),
          /** The address of this version's code. Null if it is not configured. */
          sourceUrl: z.string().nullable(),
          /** Language tags (BCP 47). */
          languages: z.array(z.string()),
        })
        .meta({ id: 'Site' }),
    ),
    failures: [],
  }),
}
