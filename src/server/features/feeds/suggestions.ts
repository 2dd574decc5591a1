/** Suggests names of subfeeds for typed text, from one source or all. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { isOutage } from '../../platform/outage.ts'
import { findSubfeed, sourcesFor } from './choose-subfeeds.ts'
import type { FeedSource, SuggestedName } from './feed-source.ts'
import { bareName } from './feed-source.ts'
import { SubfeedRefused } from './subfeed-names.ts'

const maxItems = 20
const maxMs = 5000

export async function suggestSubfeeds(
  ctx: Context,
  { user, query }: Call<typeof api.feeds.suggest>,
) {
  const offered = sourcesFor(ctx, user.role)
  const { sources, words } = splitQuery(offered, query.q)
  const lists = await Promise.all(
    sources.map((source) => suggestionsOf(ctx, source, words, user.id)),
  )
  const found = [...namesOf(ctx, query.q, offered), ...inTurns(lists)]
  const allowed = found.filter(({ nsfw }) => user.ageVerified || nsfw !== true)
  const byName = new Map(allowed.map((item) => [item.name, item]))
  return { items: [...byName.values()].slice(0, maxItems) }
}

/** Selects one source when the text has its prefix. */
function splitQuery(offered: readonly FeedSource[], query: string) {
  const [, prefix, rest = ''] = /^([a-z]+):(.*)$/is.exec(query) ?? []
  const named = offered.find(({ name }) => name === prefix?.toLowerCase())
  return named ? { sources: [named], words: rest.trim() } : { sources: offered, words: query }
}

/** Returns the text itself when it is already a complete name with a prefix. */
function namesOf(ctx: Context, query: string, offered: readonly FeedSource[]): SuggestedName[] {
  if (!query.includes(':')) return []
  try {
    const { written } = findSubfeed(ctx, query, offered)
    return [bareName(written)]
  } catch (error) {
    if (error instanceof SubfeedRefused) return []
    throw error
  }
}

/** Returns no suggestions from a source that fails or is slow: a late hint is useless. */
async function suggestionsOf(
  ctx: Context,
  source: FeedSource,
  query: string,
  userId: string,
): Promise<SuggestedName[]> {
  if (query === '') return []
  try {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('late')), maxMs).unref()
    })
    const found = await Promise.race([askSource(source, query, userId), late])
    return found.flatMap((item) => {
      const name = writtenName(ctx, source, item.name)
      return name === null ? [] : { ...item, name }
    })
  } catch (error) {
    // An outage of our own is not the source's failure.
    if (isOutage(error)) throw error
    ctx.log.info(
      { event: 'suggestions_failed', err: error },
      'failed to get name suggestions from a source',
    )
    return []
  }
}

async function askSource(
  source: FeedSource,
  query: string,
  userId: string,
): Promise<readonly SuggestedName[]> {
  if (source.suggest) return source.suggest({ query, limit: maxItems, userId })
  if (source.isSearchable === false) return []
  const posts = await source.search({ query, limit: 40 })
  const names = Map.groupBy(posts, ({ subfeed }) => subfeed)
  return [...names].map(([name, media]) => ({
    name,
    title: null,
    members: null,
    nsfw: media.some(({ nsfw }) => nsfw),
  }))
}

function writtenName(ctx: Context, source: FeedSource, name: string): string | null {
  try {
    return findSubfeed(ctx, `${source.name}:${name}`).written
  } catch (error) {
    if (error instanceof SubfeedRefused) return null
    throw error
  }
}

/** Takes the best of each source first, then the second of each, and so on. */
function inTurns(lists: readonly (readonly SuggestedName[])[]): SuggestedName[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  ).flat()
}
