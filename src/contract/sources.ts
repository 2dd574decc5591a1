/** The sources that sessions can be filled from, and the credit of their authors (contract 16). */
import { z } from 'zod'

/** Sources that FEED may name. FEEDS may name the others too. */
export const feedIds = ['demo', 'reddit', 'lemmy', 'mastodon', 'bluesky', 'rss', 'commons'] as const

export type FeedId = (typeof feedIds)[number]

/** Sources of a person's own pictures, which need no credit. */
export const ownSourceIds = ['immich', 'folder', 'vault'] as const

export function isOwnSource(id: string | null): id is (typeof ownSourceIds)[number] {
  return ownSourceIds.some((own) => own === id)
}

export const sourceIds = [...feedIds, ...ownSourceIds] as const

export type SourceId = (typeof sourceIds)[number]

const addressStart = /^https?:\/\/([^/?#]+)/

/**
 * Returns a subfeed's name in the form that people other than its owner may see. The address of an RSS feed
 * often contains a secret, so only its host is kept. For a person's own sources the names are private, so
 * only the source is kept. `first` is the site's first source, whose names have no prefix.
 */
export function publicSubfeed(written: string, first: string | null): string {
  const [, prefix, rest = ''] = /^([a-z]+):(?!\/\/)(.*)$/s.exec(written) ?? []
  const [source, name] = prefix === undefined ? [first, written] : [prefix, rest]
  if (isOwnSource(source)) return source
  const [, host] = addressStart.exec(name) ?? []
  // Bluesky addresses are public pages of feeds and lists.
  if (host === undefined || source === 'bluesky') return source === 'rss' ? 'rss' : written
  return `rss:${host}`
}

export const licence = z.object({ name: z.string(), url: z.string().nullable() })

/** The author of a work, its terms, and its origin. */
export const credit = z
  .object({
    author: z.string().nullable(),
    licence: licence.nullable(),
    url: z.string().nullable(),
  })
  .meta({ id: 'Credit' })
