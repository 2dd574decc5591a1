/**
 * Media from remote servers, with any content: the normalised medium can be stored, shown and linked, or
 * is dropped.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MediaFacts, PostFacts } from '../../src/server/features/feeds/normalise-media.ts'
import { normaliseMedia } from '../../src/server/features/feeds/normalise-media.ts'
import { refuseUrl } from '../../src/server/platform/fetch/user-url.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  // Lone surrogates, line ends, and characters that a database refuses.
  fc.constantFrom('\0', '\ud800', 'a\u2028b', ' ', 'x'.repeat(5000), '<script>1</script>'),
)
const address = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'http://127.0.0.1/a.jpg',
    'http://0x7f.1/a.jpg',
    'https://[::1]/a.jpg',
    'http://nas/a.jpg',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//a.example/b',
    'https://imgur.com/abcde12',
    'https://i.imgur.com/abcde12.gifv?x=1',
    'https://me@a.example',
  ),
  text,
)
const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(NaN, Infinity, -0, 2 ** 60))
const licence = fc.option(fc.record({ name: text, url: fc.option(address) }))

const anyPost: fc.Arbitrary<PostFacts> = fc.record({
  postId: text,
  postUrl: address,
  title: text,
  author: text,
  subfeed: text,
  score: number,
  commentCount: number,
  createdAtUnixS: number,
  nsfw: fc.boolean(),
  spoiler: fc.boolean(),
  licence,
})
const anyMedia: fc.Arbitrary<MediaFacts> = fc.record({
  url: address,
  type: fc.constantFrom('image', 'gif', 'video', null),
  thumbnail: fc.option(address),
  width: fc.option(number),
  height: fc.option(number),
  alt: fc.option(text),
  nsfw: fc.option(fc.boolean()),
  licence,
})

test('laws: addresses lead to the public web, texts can be stored, numbers are whole', () => {
  let found = 0
  fc.assert(
    fc.property(anyPost, anyMedia, (post, given) => {
      const media = normaliseMedia(post, given)
      if (!media) return
      found += 1
      const { mediaUrl, postUrl, thumbnail, licence } = media
      for (const url of [mediaUrl, postUrl, thumbnail, licence?.url ?? null]) {
        if (url === null) continue
        expect(url).toMatch(/^https?:\/\//)
        expect(refuseUrl(url, []), url).toBeNull()
      }
      const texts = [media.postId, media.title, media.author, media.alt ?? '', licence?.name ?? '']
      for (const line of texts) {
        expect(line.isWellFormed()).toBe(true)
        expect(line).not.toMatch(/[\p{Cc}\n]/u)
        expect(line.length).toBeLessThanOrEqual(2000)
      }
      expect(media.title.length).toBeLessThanOrEqual(300)
      for (const one of [media.score, media.commentCount, media.createdAtUnixS])
        expect(Number.isSafeInteger(one)).toBe(true)
      expect(Math.min(media.commentCount, media.createdAtUnixS)).toBeGreaterThanOrEqual(0)
      expect(media.width === null).toBe(media.height === null)
      expect(media.nsfw).toBe(post.nsfw || given.nsfw === true)
    }),
    { numRuns: 1000 },
  )
  expect(found).toBeGreaterThan(50)
})

test('laws: what has been made of it once is made of it again', () => {
  fc.assert(
    fc.property(anyPost, anyMedia, (post, given) => {
      const once = normaliseMedia(post, given)
      if (!once) return
      const { mediaUrl: url, type, thumbnail, width, height, alt, licence } = once
      const again = normaliseMedia(once, { url, type, thumbnail, width, height, alt, licence })
      expect(again).toEqual(once)
    }),
    { numRuns: 500 },
  )
})
