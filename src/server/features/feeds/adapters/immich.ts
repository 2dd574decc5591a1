/** Reads albums, favourites, memories and random pictures of an Immich account, with its owner's key. */
import type { FeedMedia, FeedPage, FeedSource } from '../feed-source.ts'
import { bareName, FeedUnavailable, ownersOwn, unsearchable } from '../feed-source.ts'
import type { OpenConnection } from '../connections/connection-keys.ts'
import { createPageCache } from '../cached-feed.ts'
import type { Watch } from '../hosts/source-health.ts'
import { plainText } from '../normalise-media.ts'
import { collectMedia, pageAt, readPosition } from './collect-media.ts'
import type { ImmichAlbum, ImmichAsset } from './immich-assets.ts'
import type { AssetForm, ImmichServer } from './immich-server.ts'

export type ImmichParts = {
  readonly server: ImmichServer
  readonly now: () => Date
  readonly watch: Watch
  /** Returns the account's connection with its key, or null when it has none. */
  readonly openConnection: (userId: string) => Promise<OpenConnection | null>
  readonly hasConnection: (userId: string) => Promise<boolean>
  /** Returns the URL at which this site streams an asset. */
  readonly addressOf: (connectionId: string, asset: { id: string; form: AssetForm }) => string
  readonly openOwn: NonNullable<FeedSource['openOwn']>
}

const fixedNames = ['favorites', 'memories', 'random']
const pageSize = 100

export function createImmichSource(parts: ImmichParts): FeedSource {
  const { server, now } = parts
  // Never shared between accounts: a cache key begins with the connection's id.
  const pages = createPageCache<FeedPage>({ now })
  const albumLists = createPageCache<readonly ImmichAlbum[]>({ now })

  const listAlbums = (mine: OpenConnection): Promise<readonly ImmichAlbum[]> =>
    albumLists.get(keyOf(mine), async () =>
      known(await server.ask(mine.apiKey, 'immichAlbums', { path: 'albums' }), 'albums'),
    )

  const findAlbum = async (mine: OpenConnection, wanted: string): Promise<ImmichAlbum> => {
    const albums = await listAlbums(mine)
    const found =
      albums.find(({ id, albumName }) => id === wanted || albumName.trim() === wanted) ??
      albums.find(({ albumName }) => albumName.trim().toLowerCase() === wanted.toLowerCase())
    if (found) return found
    throw new FeedUnavailable('no_such_subfeed', 'no such album', { words: 'no such album' })
  }

  const mediaOf = (mine: OpenConnection, asset: ImmichAsset): FeedMedia => {
    const addressOf = (form: AssetForm) => parts.addressOf(mine.id, { id: asset.id, form })
    return {
      ...ownersOwn,
      postId: asset.id,
      postUrl: `${server.origin}/photos/${asset.id}`,
      title: plainText(asset.description, 300),
      mediaUrl: addressOf(asset.type === 'video' ? 'playback' : 'preview'),
      thumbnail: addressOf('thumbnail'),
      type: asset.type,
      width: asset.width,
      height: asset.height,
      createdAtUnixS: Math.max(0, Math.floor(asset.takenAtUnixS)),
      nsfw: false,
      alt: asset.description || null,
    }
  }

  /** Reads a search, whose pages are numbered. */
  const searchAll = (mine: OpenConnection, which: object, limit: number, after: string | null) =>
    collectMedia(limit, after, async (after) => {
      const position = readPosition(after)
      const page = /^[1-9]\d{0,5}$/.test(position.cursor) ? Number(position.cursor) : 1
      const question = {
        ...which,
        visibility: 'timeline',
        withExif: true,
        size: pageSize,
        page,
      }
      const search = { path: 'search/metadata', json: question }
      const found = await server.ask(mine.apiKey, 'immichSearch', search)
      const { assets, nextPage } = known(found, 'assets')
      const posts = assets.map((asset) => [mediaOf(mine, asset)])
      return pageAt(
        { ...position, cursor: String(page) },
        posts,
        nextPage === null ? null : String(nextPage),
      )
    })

  const readPage = async (
    mine: OpenConnection,
    { subfeed, limit, after }: Parameters<FeedSource['list']>[0],
  ): Promise<FeedPage> => {
    const [, album] = /^album\/(.+)$/s.exec(subfeed) ?? []
    if (album !== undefined) {
      const { id } = await findAlbum(mine, album)
      return searchAll(mine, { albumIds: [id] }, limit, after ?? null)
    }
    if (subfeed === 'favorites') return searchAll(mine, { isFavorite: true }, limit, after ?? null)
    // Memories and random pictures have no second page.
    const found =
      subfeed === 'memories'
        ? await server.ask(mine.apiKey, 'immichMemories', { path: memoriesOf(now()) })
        : await server.ask(mine.apiKey, 'immichList', {
            path: 'search/random',
            json: { visibility: 'timeline', withExif: true, size: Math.min(limit, pageSize) },
          })
    const media = known(found, 'assets').map((asset) => mediaOf(mine, asset))
    return { media: media.slice(0, limit), after: null }
  }

  return {
    name: 'immich',
    ...unsearchable,
    connection: {
      exists: parts.hasConnection,
      request: 'Connect your Immich account first',
    },
    openOwn: parts.openOwn,
    async list(request) {
      const mine = await parts.openConnection(request.userId ?? '')
      if (!mine)
        throw new FeedUnavailable('refused', 'no connection', { words: 'is not connected' })
      const { subfeed, limit, after } = request
      return pages.get(keyOf(mine, subfeed, limit, after ?? null), () =>
        parts.watch(() => readPage(mine, request)),
      )
    },
    async suggest({ query, limit, userId = '' }) {
      const mine = await parts.openConnection(userId)
      if (!mine) return []
      const albums = (await listAlbums(mine)).map(({ albumName }) => albumName.trim())
      const names = [...fixedNames, ...albums.map((name) => `album/${name.replaceAll(',', '%2C')}`)]
      const words = query.toLowerCase()
      return names
        .filter((name) => name.toLowerCase().includes(words))
        .slice(0, limit)
        .map(bareName)
    },
  }
}

/**
 * Returns a cache key that changes with the connection's key, because a new key may belong to another
 * account.
 */
function keyOf({ id, since }: OpenConnection, ...parts: (string | number | null)[]): string {
  return JSON.stringify([id, since, ...parts])
}

/** Without a day, the answer would have all memories. */
function memoriesOf(now: Date): string {
  return `memories?for=${now.toISOString().slice(0, 10)}&type=on_this_day`
}

function known<T>(found: T | null, what: string): T {
  if (found === null) throw new FeedUnavailable('unreadable', `Immich returned no ${what}`)
  return found
}
