/** Playlists for tests of the player without a server. */
import { playlistOf } from '../../src/web/features/player/playlist.ts'

type Read = Parameters<typeof playlistOf>[0]

export function playlistOfSlides(
  count: number,
  change: {
    captions?: readonly string[]
    subfeeds?: string[]
    aiPrompt?: string
    type?: 'image' | 'video'
    thumbnail?: string | null
  } = {},
) {
  const media: Read['media'] = Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    sessionId: 1,
    mediaUrl: `/media/${at}.webp`,
    thumbnail: change.thumbnail === undefined ? `/media/${at}-s.webp` : change.thumbnail,
    caption: change.captions?.[at] ?? null,
    type: change.type ?? 'image',
    feedPostId: null,
    feedPostUrl: null,
    subfeed: 'city',
    alt: null,
    credit: null,
    order: at,
    width: 1200,
    height: 800,
    durationMs: null,
    lengthMs: null,
    sizes: null,
    focus: null,
    nsfw: false,
    isBroken: false,
  }))
  const session: Read['session'] = {
    id: 1,
    title: 'Evening',
    userId: 'user-1',
    subfeeds: change.subfeeds ?? ['city'],
    categoryId: 1,
    categorySource: 'default',
    intervalMin: 3,
    intervalMax: 8,
    transition: 'fade',
    thumbnail: null,
    aiPrompt: change.aiPrompt ?? null,
    captionTheme: null,
    isPublic: false,
    shareToCommunity: false,
    isFavorite: false,
    isManualMode: false,
    isImported: false,
    importSource: null,
    importUrl: null,
    tags: [],
    nsfw: false,
    mediaCount: count,
    fillStatus: 'ready',
    fillError: null,
    linkHealth: null,
    refreshDaily: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  }
  return playlistOf(
    { session, media, skipped: [], isCopying: false },
    { seed: 'session 1', headers: {}, exit: '/library', isVisitor: false },
  )
}
