/**
 * Recognises JSON that the user brings: a listing of Reddit or Lemmy in one of the forms of their APIs and
 * pages. It extracts only what the page shows; the server validates the rest.
 */

export type ListingShape = {
  readonly site: 'Reddit' | 'Lemmy'
  readonly postCount: number
  /** The subreddit or community, if all posts are from the same one. */
  readonly name: string | null
}

export function shapeOfListing(given: unknown): ListingShape | null {
  return shapeOfReddit(given) ?? shapeOfLemmy(given)
}

function shapeOfReddit(given: unknown): ListingShape | null {
  const things = redditThings(given)
  if (!things) return null
  const posts = things.flatMap((thing) => {
    if (!isRecord(thing)) return []
    if (thing['kind'] === 't3') return [thing['data']]
    return 'permalink' in thing ? [thing] : []
  })
  const names = posts.map((post) => textAt(post, 'subreddit'))
  return { site: 'Reddit', postCount: posts.length, name: onlyOne(names) }
}

/** Returns the posts and the objects beside them; the page of a single post contains comments too. */
function redditThings(given: unknown): unknown[] | null {
  if (isRecord(given) && given['kind'] === 't3') return [given]
  if (isRedditListing(given)) return given.data.children
  if (!Array.isArray(given)) return null
  const list: unknown[] = given
  if (list.some(isRedditListing))
    return list.flatMap((part) => (isRedditListing(part) ? part.data.children : []))
  const arePosts = list.some(
    (item) => isRecord(item) && (item['kind'] === 't3' || 'permalink' in item),
  )
  return arePosts ? list : null
}

function isRedditListing(given: unknown): given is { data: { children: unknown[] } } {
  if (!isRecord(given) || given['kind'] !== 'Listing' || !isRecord(given['data'])) return false
  return Array.isArray(given['data']['children'])
}

function shapeOfLemmy(given: unknown): ListingShape | null {
  const list = isRecord(given) ? (given['posts'] ?? given['items']) : given
  if (!Array.isArray(list)) return null
  const views: unknown[] = list
  const posts = views.filter((view) => isRecord(view) && isRecord(view['post']))
  if (posts.length === 0 && !(isRecord(given) && views.length === 0)) return null
  const names = posts.map((view) => (isRecord(view) ? textAt(view['community'], 'name') : null))
  return { site: 'Lemmy', postCount: posts.length, name: onlyOne(names) }
}

function onlyOne(names: readonly (string | null)[]): string | null {
  const [name = null, ...others] = new Set(names)
  return others.length === 0 ? name : null
}

function textAt(value: unknown, key: string): string | null {
  const text = isRecord(value) ? value[key] : null
  return typeof text === 'string' && text !== '' ? text : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
