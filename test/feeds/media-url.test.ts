import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  knownMediaType,
  mediaTypeOf,
  normaliseMediaUrl,
  readMediaUrl,
} from '../../src/server/features/feeds/media-url.ts'

const lemmyProxy = 'https://lemmy.example/api/v3/image_proxy?url='
const newLemmyProxy = 'https://lemmy.example/api/v4/image/proxy?url='

test.each<[string, string[]]>([
  [
    'the host’s case, the scheme, the default port, the root’s dot and the fragment',
    [
      'https://pics.example/a.jpg',
      'http://PICS.example/a.jpg',
      'https://pics.example:443/a.jpg',
      'http://pics.example:80/a.jpg',
      'https://pics.example./a.jpg#top',
      '  https://pics.example/a.jpg\n',
    ],
  ],
  [
    'escaping, once and twice, and the order of parameters',
    [
      'https://pics.example/a.jpg?x=1&y=2',
      'https://pics.example/a.jpg?x=1&amp;y=2',
      'https://pics.example/a.jpg?y=2&amp;amp;x=1',
    ],
  ],
  [
    'tracking and shape',
    [
      'https://pics.example/a.jpg',
      'https://pics.example/a.jpg?utm_source=feed&utm_medium=post',
      'https://pics.example/a.jpg?width=640&height=480&fbclid=x',
      'https://pics.example/a.jpg?format=webp&thumbnail=256',
    ],
  ],
  [
    'Reddit’s previews',
    [
      'https://i.redd.it/abc123.jpeg',
      'https://preview.redd.it/abc123.jpeg?width=108&crop=smart&auto=webp&s=641cea49',
      'https://preview.redd.it/abc123.jpeg?width=640&crop=smart&amp;auto=webp&s=other',
      'https://preview.redd.it/a-title-in-words-v0-abc123.jpeg?width=1080&s=third',
    ],
  ],
  [
    'Reddit’s copies of pictures elsewhere, in all sizes',
    [
      'https://external-preview.redd.it/abcDEF-_1.png?auto=webp&s=1',
      'https://external-preview.redd.it/abcDEF-_1.png?width=108&crop=smart&auto=webp&s=2',
    ],
  ],
  [
    'Reddit’s videos, in all sizes and containers',
    [
      'https://v.redd.it/dqm10oy4d0vg1',
      'https://v.redd.it/dqm10oy4d0vg1/CMAF_1080.mp4?source=fallback',
      'https://v.redd.it/dqm10oy4d0vg1/DASH_240.mp4',
      'https://v.redd.it/dqm10oy4d0vg1/HLSPlaylist.m3u8?a=1778705385&v=1&f=sd',
    ],
  ],
  [
    'Imgur’s animations',
    [
      'https://i.imgur.com/LrN2mPw.mp4',
      'http://imgur.com/LrN2mPw.gifv',
      'https://i.imgur.com/LrN2mPw.gif?noredirect',
      'https://m.imgur.com/LrN2mPw.webm',
    ],
  ],
  [
    'Imgur’s extensions and sizes',
    [
      'https://i.imgur.com/LrN2mPw.jpg',
      'https://i.imgur.com/LrN2mPw.png',
      'https://imgur.com/LrN2mPw.jpeg?1',
      'https://i.imgur.com/LrN2mPwh.jpg',
    ],
  ],
  [
    'Lemmy’s proxies, of both versions',
    [
      'https://pics.example/a.png',
      `${lemmyProxy}https%3A%2F%2Fpics.example%2Fa.png`,
      `${newLemmyProxy}http%3A%2F%2Fpics.example%2Fa.png&max_size=256`,
    ],
  ],
])('one picture: %s', (_, spellings) => {
  expect(new Set(spellings.map(normaliseMediaUrl)).size).toBe(1)
})

test.each([
  ['https://i.redd.it/abc123.jpeg', 'https://i.redd.it/abc124.jpeg'],
  ['https://pics.example/a.jpg', 'https://pics.example/A.jpg'],
  ['https://pics.example/show?id=1', 'https://pics.example/show?id=2'],
  ['https://pics.example/show?w=1', 'https://pics.example/show?w=2'],
  ['https://pics.example/a.jpg', 'https://pics.example:8080/a.jpg'],
  ['https://v.redd.it/one/DASH_240.mp4', 'https://v.redd.it/two/DASH_240.mp4'],
  ['https://i.imgur.com/abcdefg.jpg', 'https://i.imgur.com/abcdefg.mp4'],
  ['not a url', 'not another'],
])('two pictures: %s and %s', (one, other) => {
  expect(normaliseMediaUrl(one)).not.toBe(normaliseMediaUrl(other))
})

test('normalising a normalised address does not change it', () => {
  const words =
    'http:// https:// i.redd.it preview.redd.it v.redd.it i.imgur.com / /x-v0- abcdefgh .gif .jpg ? ' +
    `&amp; & a=1 width=2 utm_x=1 # :80 %20 @ \\ ${lemmyProxy} https%3A%2F%2Fa.example%2Fb.png`
  const parts = fc.constantFrom(...words.split(' '))
  const spelling = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string(),
    fc.array(parts, { maxLength: 10 }).map((some) => some.join('')),
  )
  fc.assert(
    fc.property(spelling, (text) => {
      const once = normaliseMediaUrl(text)
      expect(normaliseMediaUrl(once)).toBe(once)
      expect(once).not.toContain('&amp;')
    }),
    { numRuns: 1000 },
  )
})

test.each([
  ['https://i.redd.it/a.jpeg', 'image'],
  ['https://x.example/a.PNG?size=1', 'image'],
  ['https://x.example/a.webp', 'image'],
  ['https://i.redd.it/a.gif', 'gif'],
  ['https://preview.redd.it/a.gif?format=mp4&amp;s=1', 'video'],
  ['https://preview.redd.it/a.gif?width=108&crop=smart&format=png8&s=1', 'image'],
  ['https://pbs.example/media/Abc?format=jpg&name=large', 'image'],
  ['https://v.redd.it/a/CMAF_1080.mp4?source=fallback', 'video'],
  ['https://i.imgur.com/LrN2mPw.gifv', 'video'],
  ['https://imgur.com/LrN2mPw', 'image'],
  ['https://imgur.com/a/LrN2mPw', null],
  ['https://imgur.com/gallery/LrN2mPw', null],
  ['https://x.example/a.webm', 'video'],
  [`${lemmyProxy}https%3A%2F%2Fpics.example%2Fa.gif`, 'gif'],
  ['https://x.example/a.gifv', null],
  ['https://x.example/article', null],
  ['https://x.example/a.html', null],
  ['https://example.jpg/', null],
  ['ftp://x.example/a.jpg', null],
  ['nonsense.jpg', null],
  ['/demo/slowwater-19.webm', 'video'],
  ['/media/user-media/a.gif?s=signature', 'gif'],
  ['/covers', null],
])('%s is a file of kind %s', (url, type) => {
  expect(knownMediaType(url)).toBe(type)
  expect(mediaTypeOf(url)).toBe(type ?? 'image')
})

test.each([
  ['https://i.redd.it/a.jpeg', 'https://i.redd.it/a.jpeg'],
  ['https://preview.redd.it/a.png?width=1&amp;s=2', 'https://preview.redd.it/a.png?width=1&s=2'],
  ['http://imgur.com/LrN2mPw.gifv', 'http://i.imgur.com/LrN2mPw.mp4'],
  ['https://gifs.example/a.gifv', 'https://gifs.example/a.gifv'],
  ['//i.redd.it/a.jpeg', null],
  ['javascript:alert(1)', null],
  ['data:image/png;base64,AAAA', null],
  ['file:///etc/passwd', null],
  ['http://localhost/a.jpg', null],
  ['http://127.0.0.1/a.jpg', null],
  ['http://192.168.0.1/a.jpg', null],
  ['http://0x7f.1/a.jpg', null],
  ['http://[::1]/a.jpg', null],
  ['http://printer/a.jpg', null],
  ['https://user:secret@pics.example/a.jpg', null],
  [`https://pics.example/${'a'.repeat(4000)}.jpg`, null],
  ['', null],
  [null, null],
])('%s is shown as %s', (url, shown) => {
  expect(readMediaUrl(url)).toBe(shown)
})
