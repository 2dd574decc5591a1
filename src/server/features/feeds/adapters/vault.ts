/** Reads the caller's own vault: all files, favourites, or files with a tag. Nothing leaves the site. */
import type { Context } from '../../../context.ts'
import { mediaUrlOf } from '../../../http/media/media-url.ts'
import type { FillingFile } from '../../vault/vault.ts'
import {
  listForFilling,
  listOwnTags,
  mediaTypeOf,
  ownFile,
  thumbnailKey,
} from '../../vault/vault.ts'
import type { FeedMedia, FeedSource } from '../feed-source.ts'
import { bareName, ownersOwn, unsearchable } from '../feed-source.ts'

type Inside = Pick<Context, 'db' | 'query' | 'config'>

const widestThumbnail = 640
/** A user id without files. */
const nobody = ''

export function createVaultSource(ctx: Inside): FeedSource {
  return {
    name: 'vault',
    ...unsearchable,
    async list({ subfeed, limit, after, userId = nobody }) {
      const [, tag = null] = /^tag\/(.+)$/.exec(subfeed) ?? []
      const which = { tag, onlyFavorites: subfeed === 'favorites' }
      // An invalid cursor counts as past the end.
      const position = after === undefined ? null : /^[1-9]\d{0,8}$/.test(after) ? Number(after) : 0
      const files = await listForFilling(ctx, userId, which, { after: position, limit: limit + 1 })
      const page = files.slice(0, limit)
      const last = files.length > page.length ? page.at(-1) : undefined
      const media = page.map((file) => mediaOf(ctx, userId, file))
      return { media, after: last ? String(last.id) : null }
    },
    async suggest({ query, limit, userId = nobody }) {
      const tags = (await listOwnTags(ctx, userId)).map((slug) => `tag/${slug}`)
      const fitting = ['all', 'favorites', ...tags].filter((name) => name.includes(query))
      return fitting.slice(0, limit).map(bareName)
    },
  }
}

function mediaOf(ctx: Inside, userId: string, file: FillingFile): FeedMedia {
  const small = Math.max(0, ...file.thumbnailWidths.filter((width) => width <= widestThumbnail))
  return {
    ...ownersOwn,
    vaultMediaId: file.id,
    postId: `vault-${file.id}`,
    postUrl: `${ctx.config.baseUrl}/vault/${file.id}`,
    title: file.name,
    mediaUrl: mediaUrlOf(ctx, ownFile(file.filePath)),
    thumbnail:
      small === 0 ? null : mediaUrlOf(ctx, ownFile(thumbnailKey({ userId, id: file.id }, small))),
    type: mediaTypeOf(file),
    width: file.width || null,
    height: file.height || null,
    createdAtUnixS: file.createdAtUnixS,
    nsfw: file.nsfw,
    alt: null,
  }
}
