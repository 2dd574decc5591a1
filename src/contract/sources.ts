/** The sources that sessions can be filled from, and whose work it is (contract 16). */
import { z } from 'zod'

/** Those that FEEDS may name; the own vault is offered everywhere, folders where there are some. */
export const feedIds = ['demo', 'reddit', 'lemmy', 'mastodon', 'bluesky', 'rss', 'commons'] as const

export type FeedId = (typeof feedIds)[number]

export const sourceIds = [...feedIds, 'folder', 'vault'] as const

export type SourceId = (typeof sourceIds)[number]

export const licence = z.object({ name: z.string(), url: z.string().nullable() })

/** Whose work something is, under which terms, and where it comes from. */
export const credit = z
  .object({
    author: z.string().nullable(),
    licence: licence.nullable(),
    url: z.string().nullable(),
  })
  .meta({ id: 'Credit' })
