/** Parses the JSON of another site's answer. HTML instead of JSON is a failure, not an empty feed. */
import { hasTooManyParts } from '../../../platform/json-parts.ts'
import { FeedUnavailable } from '../feed-source.ts'

export function parseJsonAnswer(bytes: Buffer): unknown {
  if (hasTooManyParts(bytes)) throw unreadable('answered with more values than can be read')
  const text = bytes.toString()
  try {
    return JSON.parse(text)
  } catch {
    const isPage = /^\s*<(?:!doctype|html|head|body)/i.test(text.slice(0, 1000))
    throw unreadable(isPage ? 'answered with a web page instead of data' : 'answered with no JSON')
  }
}

function unreadable(words: string): FeedUnavailable {
  return new FeedUnavailable('unreadable', words, { words })
}
