/**
 * Reads hashtags and accounts of any Mastodon server, and accounts of Pixelfed through their Atom feeds.
 */
import { z } from 'zod'
import type { FeedPage, FeedSource } from '../feed-source.ts'
import { FeedUnavailable, unsearchable } from '../feed-source.ts'
import type { HostAsker } from '../hosts/host-asker.ts'
import { refuseStatus } from '../hosts/host-asker.ts'
import { readAnswer } from '../reading/answer-reader.ts'
import { originOfHost } from '../subfeed-names.ts'
import { collectMedia } from './collect-media.ts'
import { mayReadTags } from './mastodon-posts.ts'
import { listFeed } from './rss.ts'

export type Reading = {
  readonly asker: HostAsker
  /** FETCH_ALLOW. */
  readonly fetchAllow: readonly string[]
}

const maxPerPage = '40'
const maxRemembered = 200

export function createMastodonSource({ asker, fetchAllow }: Reading): FeedSource {
  /** By origin: true for servers that show tags without signing in. */
  const tagsAreOpen = new Map<string, boolean>()

  const collect = (path: string, limit: number, after: string | null): Promise<FeedPage> =>
    collectMedia(limit, after, async (after) => {
      const query = new URLSearchParams({ limit: maxPerPage, only_media: 'true' })
      if (after !== null) query.set('max_id', after)
      const answer = await asker.ask({ url: `${path}?${query.toString()}` })
      refuseStatus(answer)
      const posts = await readAnswer('statuses', answer, fetchAllow)
      if (!posts) throw new FeedUnavailable('unreadable', 'no list of statuses')
      return {
        posts: posts.map(({ id, media }) => ({ media, after: id })),
        after: nextId(answer.headers['link']),
      }
    })

  const refuseClosedTags = async (origin: string) => {
    const known = tagsAreOpen.get(origin) ?? (await askWhetherTagsAreOpen(asker, origin))
    if (tagsAreOpen.size >= maxRemembered) tagsAreOpen.clear()
    tagsAreOpen.set(origin, known)
    if (!known)
      throw new FeedUnavailable('refused', `${origin} does not show tags to visitors`, {
        words: 'this server shows tags only to people who are signed in there',
      })
  }

  return {
    name: 'mastodon',
    asksAnyHost: true,
    ...unsearchable,
    async list({ subfeed, limit, after }) {
      const [, mark, name = '', host = ''] = /^([#@])(.+)@([^@]+)$/.exec(subfeed) ?? []
      const origin = originOfHost(host, fetchAllow)
      if (mark === '#') {
        await refuseClosedTags(origin)
        const tag = encodeURIComponent(name)
        return collect(`${origin}/api/v1/timelines/tag/${tag}`, limit, after ?? null)
      }
      const id = await findAccount(asker, origin, name)
      if (id !== null)
        return collect(`${origin}/api/v1/accounts/${id}/statuses`, limit, after ?? null)
      const url = `${origin}/users/${encodeURIComponent(name)}.atom`
      return listFeed({ asker, fetchAllow }, { url, limit, after: after ?? null })
    },
  }
}

async function askWhetherTagsAreOpen(asker: HostAsker, origin: string): Promise<boolean> {
  try {
    return mayReadTags(await asker.askJson({ url: `${origin}/api/v2/instance` }))
  } catch (error) {
    if (error instanceof FeedUnavailable && error.reason !== 'rate_limited') return true
    throw error
  }
}

/** Returns null when a server requires a token for the lookup, as Pixelfed does. */
async function findAccount(asker: HostAsker, origin: string, name: string): Promise<string | null> {
  const url = `${origin}/api/v1/accounts/lookup?acct=${encodeURIComponent(name)}`
  try {
    const json = await asker.askJson({ url })
    const account = z.object({ id: z.union([z.string(), z.number()]) }).safeParse(json).data
    return account && /^\w{1,40}$/.test(String(account.id)) ? String(account.id) : null
  } catch (error) {
    if (!(error instanceof FeedUnavailable)) throw error
    if (error.reason === 'refused' || error.reason === 'unreadable') return null
    throw error
  }
}

/** Returns only the cursor of the link, because the link could point anywhere. */
export function nextId(link: string | undefined): string | null {
  const next = (link ?? '').split(/,\s*(?=<)/).find((part) => /;\s*rel="?next"?/i.test(part))
  const [, address = ''] = /<([^<>]*)>/.exec(next ?? '') ?? []
  return URL.parse(address)?.searchParams.get('max_id') ?? null
}
