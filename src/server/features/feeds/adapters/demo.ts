/**
 * The feed of a fresh checkout: embedded, offline, painted by the service itself. Listing a subfeed
 * starts painting what it lists; a file that is asked for before it is there is painted first.
 */
import { join } from 'node:path'
import type { Log } from '../../../platform/log.ts'
import { postsOfSubfeed, searchPosts, sortPosts } from '../demo/catalogue.ts'
import type { DemoFiles } from '../demo/files.ts'
import { createDemoFiles } from '../demo/files.ts'
import { createPainter } from '../demo/paint.ts'
import type { Painting, Post } from '../demo/posts.ts'
import { fileNameOf, paintings, thumbnailNameOf } from '../demo/posts.ts'
import { subfeeds } from '../demo/subfeeds.ts'
import type { FeedMedia, FeedSource } from '../feed-source.ts'

declare module '../../../context.ts' {
  interface Context {
    /** The feed where it is the demo, which has files to serve and to paint. */
    readonly demo: DemoSource | null
  }
}

export type DemoSource = FeedSource & {
  /** What `GET /demo/<name>` serves. */
  readonly files: DemoFiles
  /** Paints in the background whatever is not painted yet; ends early at the signal. */
  paintAll(options?: { signal?: AbortSignal }): Promise<{ painted: number; failed: number }>
  close(): Promise<void>
}

const progressEvery = 50

export function createDemoSource(options: {
  dataDir: string
  now: () => Date
  log: Pick<Log, 'info' | 'warn'>
}): DemoSource {
  const { now, log } = options
  const folder = join(options.dataDir, 'demo')
  const painter = createPainter({ folder, now })
  const files = createDemoFiles({ folder, painter })
  const show = (pieces: readonly Piece[]) => {
    // Whoever asks for a file that could not be painted hears of it, and it is tried again.
    for (const { painting } of pieces) painter.paint(painting, 'listed').catch(() => {})
    return pieces.map(toMedia)
  }

  return {
    name: 'demo',
    files,

    async list({ subfeed, sort, limit, after }) {
      const all = piecesOf(sortPosts(postsOfSubfeed(subfeed), sort))
      const before = all.findIndex(({ painting }) => painting.id === after)
      // A token from elsewhere is the end of the list rather than its beginning once more.
      if (after !== undefined && before === -1) return { media: [], after: null }
      const page = all.slice(before + 1, before + 1 + limit)
      const isLast = before + 1 + page.length >= all.length
      return { media: show(page), after: isLast ? null : (page.at(-1)?.painting.id ?? null) }
    },

    async search({ query, limit }) {
      return show(piecesOf(searchPosts(query)).slice(0, limit))
    },

    async openOwn(path) {
      const [, name = ''] = /^\/demo\/([^/?#]+)$/.exec(path) ?? []
      return (await files.stat('general', name)) && files.read('general', name)
    },

    async paintAll({ signal } = {}) {
      const startedAt = now()
      const progress = { painted: 0, failed: 0 }
      for (const painting of inPaintingOrder()) {
        if (signal?.aborted) return progress
        try {
          await painter.paint(painting, 'background')
          progress.painted += 1
        } catch (error) {
          if (signal?.aborted) return progress
          progress.failed += 1
          log.warn({ err: error }, 'a demo picture could not be painted')
        }
        if (progress.painted % progressEvery === 0)
          log.info({ ...progress, of: paintings.size }, 'painting the demo feed')
      }
      const seconds = Math.round((now().getTime() - startedAt.getTime()) / 1000)
      log.info({ ...progress, seconds }, 'the demo feed is painted')
      return progress
    },

    close: () => painter.close(),
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
  }
}

/** From this site, by whatever name somebody has reached it. */
function urlOf(name: string): string {
  return `/demo/${name}`
}

/** What a listing shows first of every subfeed, then what it shows second of any, and so on. */
function inPaintingOrder(): Painting[] {
  const turns = subfeeds.flatMap(({ name }) =>
    piecesOf(sortPosts(postsOfSubfeed(name), 'hot')).map(({ painting }, turn) => ({
      painting,
      turn,
    })),
  )
  return turns.sort((a, b) => a.turn - b.turn).map(({ painting }) => painting)
}
