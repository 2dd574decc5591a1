/**
 * Imports a listing that the user copied from their browser. The feeds' parsers read it; this file only
 * recognises its site and unwraps it.
 */
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { isMediaAddress } from '../../http/media/media-url.ts'
import { Problem, unavailable } from '../../http/problem.ts'
import type { ListedPosts } from '../feeds/feeds.ts'
import { FeedUnavailable, readSentListing } from '../feeds/feeds.ts'
import { slideOfMedia } from '../sessions/sessions.ts'
import type { Gathered, Gathering } from './gathering.ts'
import { createGathering } from './gathering.ts'

const maxPosts = 1000

export async function gatherListing(
  ctx: Context,
  given: unknown,
  viewer: { readonly ageVerified: boolean },
): Promise<Gathered> {
  const listing = unwrap(typeof given === 'string' ? parse(given) : given)
  const read = await readSentListing(listing, ctx.config.fetchAllow).catch((error: unknown) => {
    if (!(error instanceof FeedUnavailable)) throw error
    if (error.reason !== 'unreadable')
      throw unavailable('Too many listings are being read, please try again')
    throw refused('has more data than can be read')
  })
  if (!read) throw refused('is not a listing of posts from Reddit or Lemmy')
  if (read.posts.length === 0 && read.unreadableCount === 0) throw refused('has no posts')
  const gathering = createGathering()
  for (const { facts, media } of read.posts) {
    const shown = media.filter(({ mediaUrl }) => isMediaAddress(ctx, mediaUrl))
    addPost(gathering, { facts, media: shown }, viewer)
  }
  if (read.unreadableCount > 0)
    gathering.skip(`${read.unreadableCount} of the listing’s posts`, 'unreadable')
  return gathering.end()
}

type Post = ListedPosts['posts'][number]

function addPost(gathering: Gathering, { facts, media }: Post, viewer: { ageVerified: boolean }) {
  const source = facts.postUrl || facts.title || facts.postId
  if (media.length === 0) return gathering.skip(source, 'no_media')
  if (facts.nsfw && !viewer.ageVerified) return gathering.skip(source, 'age_restricted')
  const fits = media.map((item) => gathering.add(slideOfMedia(item)))
  // One entry for each post, not for each picture of a gallery.
  if (fits.includes(false)) gathering.skip(source, 'too_many')
}

/** Wraps bare and single posts in a listing. */
function unwrap(given: unknown): unknown {
  const listing = isThing(given) ? [given] : given
  refuseTooMany(listing)
  if (!Array.isArray(listing)) return listing
  if (listing.some((item) => isRecord(item) && item['kind'] === 'Listing')) return listing
  if (listing.some((item) => isRecord(item) && 'post' in item)) return { posts: listing }
  const children = listing.map((item) => (isThing(item) ? item : { kind: 't3', data: item }))
  const arePosts = listing.some((item) => isThing(item) || (isRecord(item) && 'permalink' in item))
  return arePosts ? { kind: 'Listing', data: { children } } : null
}

/** Refuses too many posts before parsing, in a bare list and in all listings together. */
function refuseTooMany(given: unknown): void {
  const listings: unknown[] = Array.isArray(given) ? given : [given]
  const held = listings.reduce<number>((sum, listing) => sum + countIn(listing), 0)
  if (Math.max(listings.length, held) > maxPosts)
    throw refused(`must have at most ${maxPosts} posts`)
}

/** Counts posts in every field where a parser of either site looks for them. */
function countIn(listing: unknown): number {
  if (!isRecord(listing)) return 0
  const { data, posts, items, search } = listing
  const lists = [isRecord(data) ? data['children'] : null, posts, items, search]
  return lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0)
}

function isThing(value: unknown): value is { kind: string; data: unknown } {
  return isRecord(value) && value['kind'] === 't3'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused('is not valid JSON')
  }
}

function refused(words: string): Problem {
  return new Problem(problems.validationFailed, { message: `Validation failed: listing ${words}` })
}
