/** Reads categories, featured pictures and search results of Wikimedia Commons. */
import { z } from 'zod'
import type { FeedPage, FeedSource } from '../feed-source.ts'
import { FeedUnavailable } from '../feed-source.ts'
import { refuseStatus } from '../hosts/host-asker.ts'
import { readAnswer } from '../reading/answer-reader.ts'
import { collectMedia, pageAt, readPosition } from './collect-media.ts'
import type { CommonsFile } from './commons-files.ts'
import { mergeFiles } from './commons-files.ts'
import type { Reading } from './mastodon.ts'

const featured = 'Featured pictures on Wikimedia Commons'
/** The limit of requests for one batch, including continuations. */
const maxPieces = 4

type Query = Readonly<Record<string, string>>

export function createCommonsSource(apiUrl: string, { asker, fetchAllow }: Reading): FeedSource {
  const chosenOrigin = new URL(apiUrl).origin

  /** Returns the files of one batch, merged from its parts. */
  const readBatch = async (query: Query, asks: { left: number }) => {
    const pieces: (readonly CommonsFile[])[] = []
    let next: Query | null = null
    for (let piece = 0; piece < maxPieces && asks.left > 0; piece++) {
      asks.left -= 1
      const url = `${apiUrl}?${new URLSearchParams({ ...common, ...query, ...next }).toString()}`
      const asked = await asker.ask({ url, chosenOrigin })
      refuseStatus(asked)
      const answer = await readAnswer('commonsFiles', asked, fetchAllow)
      if (!answer) throw new FeedUnavailable('unreadable', 'Commons returned no result')
      pieces.push(answer.files)
      next = answer.next
      if (answer.isComplete || next === null) break
    }
    return { files: mergeFiles(pieces), next }
  }

  const collect = (query: Query, limit: number, after: string | null): Promise<FeedPage> => {
    const asks = { left: 5 }
    return collectMedia(limit, after, async (after) => {
      const position = readPosition(after)
      const { files, next } = await readBatch({ ...query, ...continued(position.cursor) }, asks)
      const posts = files.map(({ media }) => (media ? [media] : []))
      return pageAt(position, posts, next && asks.left > 0 ? JSON.stringify(next) : null)
    })
  }

  return {
    name: 'commons',
    list({ subfeed, sort, limit, after }) {
      const category = subfeed === 'featured' ? featured : subfeed
      const order = sort === 'new' || subfeed === 'featured' ? newestFirst : {}
      const query = { ...ofCategory, ...order, gcmtitle: `Category:${category}` }
      return collect(query, limit, after ?? null)
    },
    async suggest({ query: words, limit }) {
      const query = {
        ...ofNames,
        pssearch: words.replace(/^category:/i, ''),
        pslimit: String(limit),
      }
      const url = `${apiUrl}?${new URLSearchParams(query).toString()}`
      const json = await asker.askJson({ url, chosenOrigin })
      const found = categories.safeParse(json).data?.query.prefixsearch ?? []
      return found.map(({ title }) => ({
        name: title.replace(/^Category:/, '').replaceAll(',', '%2C'),
        title: null,
        members: null,
        nsfw: null,
      }))
    },
    async search({ query: words, limit }) {
      const query = { ...ofSearch, gsrsearch: `${words} filetype:bitmap` }
      return (await collect(query, limit, null)).media
    },
  }
}

const common = {
  action: 'query',
  format: 'json',
  formatversion: '2',
  prop: 'imageinfo',
  iiprop: 'url|size|mime|mediatype|timestamp|extmetadata',
  iiextmetadatafilter:
    'Artist|Attribution|ImageDescription|LicenseShortName|LicenseUrl|Restrictions',
  // One of the thumbnail widths that its servers have ready.
  iiurlwidth: '1920',
}

const ofCategory = { generator: 'categorymembers', gcmtype: 'file', gcmlimit: '50' }
const newestFirst = { gcmsort: 'timestamp', gcmdir: 'desc' }
const ofNames = {
  action: 'query',
  format: 'json',
  formatversion: '2',
  list: 'prefixsearch',
  psnamespace: '14',
}
const categories = z.object({
  query: z.object({ prefixsearch: z.array(z.object({ title: z.string() })) }),
})
const ofSearch = { generator: 'search', gsrnamespace: '6', gsrlimit: '50' }

/** Accepts only the keys of an answer's `continue`, because clients send the cursor back. */
function continued(cursor: string): Query {
  if (cursor === '') return {}
  try {
    const pairs = Object.entries(JSON.parse(cursor) as Record<string, unknown>)
    return Object.fromEntries(
      pairs.flatMap(([key, value]) =>
        /^(?:continue|gcmcontinue|gsroffset|iicontinue|iistart)$/.test(key) &&
        typeof value === 'string'
          ? [[key, value]]
          : [],
      ),
    )
  } catch {
    return {}
  }
}
