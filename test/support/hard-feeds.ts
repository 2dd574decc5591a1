/** Responses of up to 8 MB that are expensive to parse, as a hostile site may send them. */
import type { AnswerKind } from '../../src/server/features/feeds/reading/answer-readers.ts'

type HardFeed = { readonly kind: AnswerKind; readonly text: string }

const maxBytes = 8 * 1024 * 1024

const full = (unit: string, around = 1000) => unit.repeat((maxBytes - around) / unit.length)
const rss = (items: string) =>
  `<rss version="2.0"><channel><title>A</title>${items}</channel></rss>`
const list = (unit: string) => `[${full(`${unit},`)}${unit}]`

export const hardFeeds: Readonly<Record<string, () => HardFeed>> = {
  'an RSS feed of tiny entries': () => ({ kind: 'feed', text: rss(full('<item/>')) }),
  'an RSS feed of small entries with pictures': () => ({
    kind: 'feed',
    text: rss(full('<item><enclosure url="http://a.example/1.jpg" type="image/jpeg"/></item>')),
  }),
  'an RSS feed of as many elements as are read': () => ({
    kind: 'feed',
    text: rss(
      '<item><title>a</title><enclosure url="http://a.example/1.jpg" type="image/jpeg"/></item>'.repeat(
        39_000,
      ),
    ),
  }),
  'an Atom feed of tiny entries': () => ({
    kind: 'feed',
    text: `<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title>${full('<entry/>')}</feed>`,
  }),
  'a JSON feed of tiny entries': () => ({
    kind: 'feed',
    text: `{"version":"https://jsonfeed.org/version/1.1","title":"A","items":${list('{}')}}`,
  }),
  'an entry with 400,000 attributes': () => ({
    kind: 'feed',
    text: rss(`<item ${Array.from({ length: 400_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`),
  }),
  'elements inside of elements': () => ({ kind: 'feed', text: rss(full('<item>')) }),
  'an element that is never closed': () => ({ kind: 'feed', text: rss(full('<title>')) }),
  'a feed of one long text': () => ({
    kind: 'feed',
    text: rss(`<item><description>${full('&lt;img src=a.jpg ')}</description></item>`),
  }),
  'statuses that are empty': () => ({ kind: 'statuses', text: list('{}') }),
  'statuses of numbers': () => ({ kind: 'statuses', text: list('{"id":1}') }),
  'a status with attachments without end': () => ({
    kind: 'statuses',
    text: `[{"id":1,"media_attachments":${list('{}')}}]`,
  }),
  'lists inside of lists': () => ({
    kind: 'statuses',
    text: `${'['.repeat(maxBytes / 2 - 10)}${']'.repeat(maxBytes / 2 - 10)}`,
  }),
  'a Bluesky feed of empty posts': () => ({ kind: 'blueskyFeed', text: `{"feed":${list('{}')}}` }),
  'a Commons answer of empty pages': () => ({
    kind: 'commonsFiles',
    text: `{"query":{"pages":${list('{}')}}}`,
  }),
  'Immich albums that are empty': () => ({ kind: 'immichAlbums', text: list('{}') }),
  'Immich assets that are empty': () => ({
    kind: 'immichSearch',
    text: `{"assets":{"items":${list('{}')}}}`,
  }),
}
