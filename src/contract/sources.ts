/** The sources that sessions can be filled from, and whose work it is (contract 16). */
import { z } from 'zod'

/** Those that FEED and FEEDS may name. */
export const feedIds = ['demo', 'reddit', 'lemmy', 'mastodon', 'bluesky', 'rss', 'commons'] as const

export type FeedId = (typeof feedIds)[number]

/** What people have themselves: it needs no credit, and is never a site's first source. */
export const ownSourceIds = ['immich', 'folder', 'vault'] as const

export const sourceIds = [...feedIds, ...ownSourceIds] as const

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
