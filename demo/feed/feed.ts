/**
 * The feed of a fresh checkout. It is built in, works offline, and the service paints its pictures itself.
 * Listing a subfeed paints nothing; a file is painted when it is requested.
 */
import type { FeedMedia, FeedSource } from '../../src/server/features/feeds/feed-source.ts'
import type { Painting } from '../painting/painting.ts'
import { fileNameOf, thumbnailNameOf } from '../painting/painting.ts'
import { postsOfSubfeed, searchPosts, sortPosts } from './catalogue.ts'
import type { DemoFiles } from './files.ts'
import { currentNameOf } from './former-names.ts'
import type { Post } from './posts.ts'

export function createDemoFeed(files: DemoFiles): FeedSource {
  return {
    name: 'demo',

    async list({ subfeed, sort, limit, after }) {
      const all = piecesOf(sortPosts(postsOfSubfeed(subfeed), sort))
      const before = all.findIndex(({ painting }) => painting.id === after)
      // An unknown token ends the list. Otherwise the list would start again from the beginning.
      if (after !== undefined && before === -1) return { media: [], after: null }
      const page = all.slice(before + 1, before + 1 + limit)
      const isLast = before + 1 + page.length >= all.length
      const next = isLast ? null : (page.at(-1)?.painting.id ?? null)
      return { media: page.map(toMedia), after: next }
    },

    async search({ query, limit }) {
      return piecesOf(searchPosts(query)).slice(0, limit).map(toMedia)
    },

    async openOwn(path) {
      const [, asked = ''] = /^\/demo\/([^/?#]+)$/.exec(path) ?? []
      const name = currentNameOf(asked)
      return (await files.stat('general', name)) && files.read('general', name)
    },
  }
}

/** A post and one of its pictures. */
type Piece = { readonly post: Post; readonly painting: Painting }

function piecesOf(list: readonly Post[]): Piece[] {
  return list.flatMap((post) => post.media.map((painting) => ({ post, painting })))
}

function toMedia({ post, painting }: Piece): FeedMedia {
  const { id, media, ...facts } = post
  return {
    ...facts,
    postId: id,
    postUrl: urlOf(fileNameOf(media[0] ?? painting)),
    mediaUrl: urlOf(fileNameOf(painting)),
    thumbnail: urlOf(thumbnailNameOf(painting)),
    type: painting.type,
    width: painting.width,
    height: painting.height,
    alt: null,
    licence: null,
    focus: null,
    source: 'demo',
  }
}

/** Returns a path without a host, because visitors may reach this site under several names. */
function urlOf(name: string): string {
  return `/demo/${name}`
}
