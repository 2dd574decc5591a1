import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FeedMedia } from '../../src/server/features/feeds/feed-source.ts'
import { normaliseMediaUrl } from '../../src/server/features/feeds/media-url.ts'
import { spreadFairly } from '../../src/server/features/feeds/spread.ts'
import { feedMedia } from '../support/feed-media.ts'

/** Makes the posts of one subfeed from names of pictures. A post with several is a gallery. */
function subfeed(name: string, posts: readonly (readonly string[])[]): FeedMedia[] {
  return posts.flatMap((pictures, index) =>
    pictures.map((picture) =>
      feedMedia({
        postId: `${name}-${index}`,
        subfeed: name,
        mediaUrl: `https://pics.example/${picture}.jpg`,
      }),
    ),
  )
}

const picturesOf = (media: readonly FeedMedia[]) =>
  media.map(({ mediaUrl }) => mediaUrl.slice('https://pics.example/'.length, -'.jpg'.length))

test('subfeeds alternate, and an exhausted one leaves its turns to the others', () => {
  const spread = spreadFairly(
    [
      subfeed('a', [['a1'], ['a2'], ['a3']]),
      subfeed('b', [['b1']]),
      subfeed('c', [['c1'], ['c2']]),
    ],
    25,
  )
  expect(picturesOf(spread)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
})

test('a long gallery leaves space for later posts', () => {
  const gallery = ['g1', 'g2', 'g3', 'g4', 'g5']
  const posts = subfeed('a', [gallery, ['p1'], ['p2']])
  expect(picturesOf(spreadFairly([posts], 3))).toEqual(['g1', 'p1', 'p2'])
  expect(picturesOf(spreadFairly([posts], 4))).toEqual(['g1', 'g2', 'p1', 'p2'])
  expect(picturesOf(spreadFairly([posts], 25))).toEqual([...gallery, 'p1', 'p2'])
})

test('a picture in two subfeeds is used once, in any spelling', () => {
  const one = feedMedia({ mediaUrl: 'https://i.redd.it/x.jpeg' })
  const same = feedMedia({ mediaUrl: 'https://preview.redd.it/x.jpeg?width=108&s=1' })
  const other = feedMedia({ mediaUrl: 'https://i.redd.it/y.jpeg' })
  expect(spreadFairly([[one], [same, other]], 25)).toEqual([one, other])
})

test('nothing in, nothing out', () => {
  expect(spreadFairly([], 25)).toEqual([])
  expect(spreadFairly([[], []], 25)).toEqual([])
  expect(spreadFairly([[feedMedia()]], 0)).toEqual([])
})

// Few names, so that subfeeds share pictures and posts repeat them.
const anySubfeeds = fc
  .array(
    fc.array(fc.array(fc.integer({ min: 0, max: 40 }).map(String), { maxLength: 6 }), {
      maxLength: 12,
    }),
    { maxLength: 6 },
  )
  .map((all) => all.map((posts, index) => subfeed(`s${index}`, posts)))
const anyMax = fc.integer({ min: 0, max: 60 })

test('laws: no picture twice, as many as fit, each subfeed in its order', () => {
  fc.assert(
    fc.property(anySubfeeds, anyMax, (subfeeds, max) => {
      const spread = spreadFairly(subfeeds, max)
      const keys = spread.map(({ mediaUrl }) => normaliseMediaUrl(mediaUrl))
      expect(new Set(keys).size).toBe(keys.length)

      const all = new Set(subfeeds.flat().map(({ mediaUrl }) => normaliseMediaUrl(mediaUrl)))
      expect(spread).toHaveLength(Math.min(max, all.size))

      for (const media of subfeeds) {
        const places = spread
          .filter((item) => media.includes(item))
          .map((item) => media.indexOf(item))
        expect(places).toEqual(places.toSorted((a, b) => a - b))
      }
    }),
  )
})

test('laws: at any length no subfeed is more than one behind, unless it has no more posts', () => {
  fc.assert(
    fc.property(anySubfeeds, anyMax, (subfeeds, max) => {
      const spread = spreadFairly(subfeeds, max)
      const shown = new Set(spread.map(({ mediaUrl }) => mediaUrl))
      const countsAt = (length: number) =>
        subfeeds.map(
          (media) => spread.slice(0, length).filter((item) => media.includes(item)).length,
        )
      const totals = countsAt(spread.length)
      for (let length = 0; length <= spread.length; length++) {
        const counts = countsAt(length)
        for (const [index, count] of counts.entries()) {
          const isBehind = count < Math.max(...counts) - 1
          if (!isBehind) continue
          // All of its chosen pictures are shown, and other subfeeds show the rest.
          expect(count).toBe(totals[index])
          expect(subfeeds[index]?.every(({ mediaUrl }) => shown.has(mediaUrl))).toBe(true)
        }
      }
    }),
  )
})

test('laws: no gallery shows a second picture before every post of its subfeed shows one', () => {
  fc.assert(
    fc.property(anySubfeeds, anyMax, (subfeeds, max) => {
      const spread = spreadFairly(subfeeds, max)
      const shown = new Set(spread.map(({ mediaUrl }) => mediaUrl))
      for (const media of subfeeds) {
        const perPost = Map.groupBy(media, ({ postId }) => postId)
        const left = [...perPost.values()].filter(([first]) => first && !shown.has(first.mediaUrl))
        if (left.length === 0) continue
        // If another subfeed shows a gallery's first picture, its second counts as the first.
        const firsts = new Set([...perPost.values()].map(([first]) => first))
        const mine = spread.filter((item) => media.includes(item))
        expect(mine.every((item) => firsts.has(item))).toBe(true)
      }
    }),
  )
})
