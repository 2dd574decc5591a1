/** Lists and sorts the posts of a subfeed, and searches all posts. */
import type { FeedSort } from '../../src/server/features/feeds/feed-source.ts'
import { createRandom, hashText } from '../painting/canvas/random.ts'
import type { Post } from './posts.ts'
import { posts } from './posts.ts'

const postsInMixture = 24
// Words that are too common to search for. Words shorter than `shortestWord` are ignored too.
const fillers = new Set(['the', 'and', 'for', 'with', 'from', 'over', 'into', 'that', 'this'])
const shortestWord = 3

/**
 * Returns the posts of a subfeed. `<name>_best` has only the best still picture of that subfeed. An unknown
 * name returns a mixture that is always the same for that name: posts related to the name first, then random
 * ones.
 */
export function postsOfSubfeed(name: string): readonly Post[] {
  const subfeed = name.toLowerCase()
  const own = posts.filter((post) => post.subfeed === subfeed)
  if (own.length > 0) return own
  const best = bestOf(subfeed.replace(/_best$/, ''))
  if (best.length > 0) return best
  const mixture = createRandom(hashText(subfeed)).shuffle(posts)
  const related = mixture.filter((post) => wordsOf(post).some((word) => isPartOf(word, subfeed)))
  const others = mixture.filter((post) => !related.includes(post))
  return [...related, ...others].slice(0, postsInMixture).map((post) => ({ ...post, subfeed }))
}

function bestOf(subfeed: string): Post[] {
  const stills = posts
    .filter((post) => post.subfeed === subfeed)
    .map((post) => ({ ...post, media: post.media.slice(0, 1) }))
    .filter(({ media }) => media.every(({ type }) => type === 'image'))
  return sortPosts(stills, 'hot').slice(0, 1)
}

export function sortPosts(list: readonly Post[], sort: FeedSort): Post[] {
  const rank = ranks[sort]
  return [...list].sort((a, b) => rank(b) - rank(a) || (a.id < b.id ? -1 : 1))
}

/** Returns the posts that match the words, the best matches first. */
export function searchPosts(query: string): Post[] {
  const asked = words(query)
  return posts
    .map((post) => ({ post, fit: fitOf(post, asked) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit || b.post.score - a.post.score)
    .map(({ post }) => post)
}

/** Ten times the score ranks as high as half a day less of age. */
const hotHalfDayS = 43_200

const ranks: Record<FeedSort, (post: Post) => number> = {
  new: (post) => post.createdAtUnixS,
  top: (post) => post.score,
  hot: (post) => Math.log10(Math.max(1, post.score)) + post.createdAtUnixS / hotHalfDayS,
}

function fitOf(post: Post, asked: readonly string[]): number {
  const title = words(post.title)
  const others = wordsOf(post)
  return asked.reduce((sum, word) => {
    if (title.includes(word)) return sum + 4
    if (others.includes(word)) return sum + 3
    if (title.some((known) => isAlike(known, word))) return sum + 2
    // The name of a subfeed is several words without spaces.
    const stem = word.replace(/e?s$/, '')
    return others.some((known) => isAlike(known, word) || isPartOf(stem, known)) ? sum + 1.5 : sum
  }, 0)
}

/** Returns the words that describe a post besides its title. */
function wordsOf(post: Post): string[] {
  const { scene = '', mood = '', type = '' } = post.media[0] ?? {}
  return [post.subfeed, scene, mood, type === 'image' ? 'picture' : type]
}

/** True for 'mountains' and 'mountain', false for 'lake' and 'later'. */
function isAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 4 && long.startsWith(short) && long.length - short.length <= 3
}

function isPartOf(word: string, text: string): boolean {
  return word.length >= 4 && text.includes(word)
}

function words(text: string): string[] {
  const all = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return all.filter((word) => word.length >= shortestWord && !fillers.has(word))
}
