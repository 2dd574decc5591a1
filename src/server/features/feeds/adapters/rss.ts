/** Reads any RSS, Atom or JSON feed of the web. */
import type { FeedPage, FeedSource } from '../feed-source.ts'
import { unsearchable } from '../feed-source.ts'
import { refuseStatus } from '../hosts/host-asker.ts'
import { readAnswer } from '../reading/answer-reader.ts'
import { collectMedia, pageAt, readPosition } from './collect-media.ts'
import type { Reading } from './mastodon.ts'

const accept =
  'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5'

export function createRssSource(reading: Reading): FeedSource {
  return {
    name: 'rss',
    asksAnyHost: true,
    ...unsearchable,
    list: ({ subfeed, limit, after }) =>
      listFeed(reading, { url: subfeed, limit, after: after ?? null }),
  }
}

/** Returns media of one feed. A feed has a single page. */
export function listFeed(
  { asker, fetchAllow }: Reading,
  wanted: { url: string; limit: number; after: string | null },
): Promise<FeedPage> {
  return collectMedia(wanted.limit, wanted.after, async (after) => {
    const answer = await asker.ask({ url: wanted.url, accept })
    refuseStatus(answer)
    return pageAt(readPosition(after), await readAnswer('feed', answer, fetchAllow), null)
  })
}
