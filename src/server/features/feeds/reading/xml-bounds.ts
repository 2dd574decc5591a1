/**
 * Refuses XML with too many tags or attributes before parsing: for 8 MB of empty tags, a parser needs
 * seconds and a gigabyte.
 */
import { FeedUnavailable } from '../feed-source.ts'

/** 2,000 entries of 50 elements. */
const maxTags = 200_000
const maxAttributesOfTag = 200
const maxAttributes = 200_000
/** Shorter tags have few attributes, so they are not counted. */
const longTagCharacters = 400

/** Parts that are not markup: how they begin and end. */
const skipped = [
  { begin: '<![CDATA[', end: ']]>' },
  { begin: '<!--', end: '-->' },
]

export function refuseLargeXml(xml: string): void {
  let [tags, attributes] = [0, 0]
  for (let at = xml.indexOf('<'); at >= 0;) {
    const text = skipped.find(({ begin }) => xml.startsWith(begin, at))
    const end = text ? xml.indexOf(text.end, at) : xml.indexOf('>', at)
    if (end < 0) return
    if (!text) {
      const inTag = end - at > longTagCharacters ? attributesIn(xml, at, end) : 0
      tags += 1
      attributes += inTag
      if (tags > maxTags || inTag > maxAttributesOfTag || attributes > maxAttributes)
        throw new FeedUnavailable('unreadable', 'too many elements or attributes', {
          words: 'has more elements than a feed may have',
        })
    }
    at = xml.indexOf('<', end)
  }
}

function attributesIn(xml: string, start: number, end: number): number {
  let count = 0
  for (let at = xml.indexOf('=', start); at >= 0 && at < end; at = xml.indexOf('=', at + 1))
    count += 1
  return count
}
