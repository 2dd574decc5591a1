/**
 * Reads accounts, feeds and lists of Bluesky through its public API. Its search is not open to other
 * sites.
 */
import { z } from 'zod'
import { isHls } from '../../../../contract/hls.ts'
import type { FeedMedia, FeedSource } from '../feed-source.ts'
import { FeedUnavailable, unsearchable } from '../feed-source.ts'
import type { HostAnswer } from '../hosts/host-asker.ts'
import { refuseStatus } from '../hosts/host-asker.ts'
import { readAnswer } from '../reading/answer-reader.ts'
import { parseJsonAnswer } from '../reading/json-answer.ts'
import { collectMedia, pageAt, readPosition } from './collect-media.ts'
import type { Reading } from './mastodon.ts'

const people = z.object({
  actors: z.array(z.object({ handle: z.string(), displayName: z.string().nullish() })),
})

type BlueskyServer = { readonly blueskyUrl: string; readonly filmOrigins: readonly string[] }

export function createBlueskySource(
  { blueskyUrl: apiUrl, filmOrigins }: BlueskyServer,
  { asker, fetchAllow }: Reading,
): FeedSource {
  const chosenOrigin = new URL(apiUrl).origin
  // Pages may fetch video segments only from these origins; videos elsewhere cannot play.
  const isPlayable = ({ mediaUrl }: FeedMedia) =>
    !isHls(mediaUrl) || filmOrigins.includes(new URL(mediaUrl).origin)

  const get = async (method: string, query: Record<string, string>): Promise<HostAnswer> => {
    const url = `${apiUrl}/xrpc/${method}?${new URLSearchParams(query).toString()}`
    const answer = await asker.ask({ url, chosenOrigin })
    // Bluesky answers 400 for everything that it cannot find.
    if (answer.status === 400)
      throw new FeedUnavailable('no_such_subfeed', 'Bluesky answers 400', {
        words: 'no such account, feed or list',
      })
    refuseStatus(answer)
    return answer
  }

  const findDid = async (person: string): Promise<string> => {
    if (person.startsWith('did:')) return person
    const { bytes } = await get('com.atproto.identity.resolveHandle', { handle: person })
    const did = z.object({ did: z.string() }).safeParse(parseJsonAnswer(bytes)).data?.did
    if (did === undefined) throw new FeedUnavailable('unreadable', 'Bluesky returned no identifier')
    return did
  }

  /** Returns the API method and parameters for a subfeed name. */
  const questionOf = async (
    name: string,
  ): Promise<{ method: string; query: Record<string, string> }> => {
    if (name.startsWith('@'))
      return {
        method: 'app.bsky.feed.getAuthorFeed',
        query: { actor: name.slice(1), filter: 'posts_with_media' },
      }
    const [, person = '', kind = '', key = ''] =
      /^(?:at:\/\/|https:\/\/bsky\.app\/profile\/)([^/]+)\/([^/]+)\/([^/]+)$/.exec(name) ?? []
    const did = await findDid(decodeURIComponent(person))
    return kind === 'lists' || kind === 'app.bsky.graph.list'
      ? {
          method: 'app.bsky.feed.getListFeed',
          query: { list: `at://${did}/app.bsky.graph.list/${key}` },
        }
      : {
          method: 'app.bsky.feed.getFeed',
          query: { feed: `at://${did}/app.bsky.feed.generator/${key}` },
        }
  }

  return {
    name: 'bluesky',
    ...unsearchable,
    async suggest({ query, limit }) {
      const words = { q: query.replace(/^@/, ''), limit: String(limit) }
      const { bytes } = await get('app.bsky.actor.searchActorsTypeahead', words)
      const found = people.safeParse(parseJsonAnswer(bytes)).data
      return (found?.actors ?? []).map(({ handle, displayName }) => ({
        name: `@${handle.toLowerCase()}`,
        title: displayName || null,
        members: null,
        nsfw: null,
      }))
    },
    async list({ subfeed, limit, after }) {
      const { method, query } = await questionOf(subfeed)
      return collectMedia(limit, after ?? null, async (after) => {
        const position = readPosition(after)
        const cursor = position.cursor !== '' && { cursor: position.cursor }
        const answer = await get(method, { ...query, limit: '50', ...cursor })
        const read = await readAnswer('blueskyFeed', answer, fetchAllow)
        if (!read) throw new FeedUnavailable('unreadable', 'Bluesky returned no feed')
        const posts = read.posts.map((media) => media.filter(isPlayable))
        return pageAt(position, posts, read.cursor)
      })
    },
  }
}
