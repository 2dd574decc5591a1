/** The captions of a show: cached for a day, requested once, and not requested where they are off. */
import { expect, test, vi } from 'vitest'
import { ApiProblem } from '../../src/client/client.ts'
import { createCaptionStore } from '../../src/web/features/player/caption-store.ts'
import { createCaptionCache } from '../../src/web/features/player/outside/caption-cache.ts'
import { playlistOfSlides } from '../support/web-playlist.ts'
import { createStorage } from '../support/web-storage.ts'

const hourMs = 3_600_000
const settled = () => new Promise((resolve) => setTimeout(resolve))

function openStore(
  playlist: ReturnType<typeof playlistOfSlides>,
  answer: (slideId: number) => string | Error,
  cache = createCaptionCache(createStorage, () => 0),
) {
  const asked: number[] = []
  const store = createCaptionStore({
    playlist,
    cache,
    ask: async ({ id }) => {
      asked.push(id)
      const text = answer(id)
      if (text instanceof Error) throw text
      return text
    },
  })
  return { store, asked }
}

const refusal = (status: number) => new ApiProblem({ status, headers: new Headers(), body: {} })

test('a caption is kept for a day in its voice, and then forgotten', () => {
  const storage = createStorage()
  let nowMs = 0
  const cache = createCaptionCache(
    () => storage,
    () => nowMs,
  )
  const key = { sessionId: 1, slideId: 2, voice: 'narrator' }
  cache.keep(key, 'Look\nup.')
  expect(cache.read(key)).toBe('Look\nup.')
  expect(cache.read({ ...key, voice: 'walker' })).toBe(null)
  nowMs = 24 * hourMs - 1
  expect(cache.read(key)).toBe('Look\nup.')
  nowMs = 24 * hourMs
  expect(cache.read(key)).toBe(null)
  storage.setItem('somebody else’s', 'stays')
  cache.tidy()
  expect([storage.length, storage.key(0)]).toEqual([1, 'somebody else’s'])
})

test('captions that are there are not asked for; the others are, once', async () => {
  const playlist = playlistOfSlides(3, { captions: ['Mine.'] })
  const { store, asked } = openStore(playlist, (id) => `Caption ${id}`)
  store.want(playlist.slides)
  store.want(playlist.slides)
  expect([store.read(1), store.isPending(2)]).toEqual(['Mine.', true])
  await settled()
  expect(asked).toEqual([2, 3])
  expect([store.read(2), store.isPending(2)]).toEqual(['Caption 2', false])
})

test('a caption is reused the next time, and written again in another voice', async () => {
  const storage = createStorage()
  const cache = createCaptionCache(
    () => storage,
    () => 0,
  )
  const first = openStore(playlistOfSlides(1), () => 'Written once.', cache)
  first.store.want(playlistOfSlides(1).slides)
  await settled()
  const again = openStore(playlistOfSlides(1), () => 'Written twice.', cache)
  expect(again.store.read(1)).toBe('Written once.')
  const wished = openStore(playlistOfSlides(1, { aiPrompt: 'In verse' }), () => 'Verse.', cache)
  expect(wished.store.read(1)).toBe(null)
})

test('no caption is requested for the owner’s own pictures, nor without a still', async () => {
  const own = playlistOfSlides(2, { subfeeds: [] })
  const { store, asked } = openStore(own, () => 'never')
  store.want(own.slides)
  const moving = playlistOfSlides(1, { type: 'video', thumbnail: null })
  const film = openStore(moving, () => 'never')
  film.store.want(moving.slides)
  await settled()
  expect([asked, film.asked]).toEqual([[], []])
})

test.each([
  [403, 1],
  [422, 3],
])('after an answer of %i, %i of three slides have been asked for', async (status, expected) => {
  const playlist = playlistOfSlides(3)
  const { store, asked } = openStore(playlist, () => refusal(status))
  for (const slide of playlist.slides) {
    store.want([slide])
    await settled()
  }
  expect(asked).toHaveLength(expected)
})

test.each([
  [503, {}, 30_000],
  [429, { 'retry-after': '7' }, 7000],
])(
  'an answer of %i is waited out, then the show has captions again',
  async (status, headers, ms) => {
    vi.useFakeTimers()
    try {
      const playlist = playlistOfSlides(3)
      let isRefused = true
      const { store, asked } = openStore(playlist, (id) =>
        isRefused
          ? new ApiProblem({ status, headers: new Headers(headers), body: {} })
          : `Caption ${id}`,
      )
      store.want(playlist.slides.slice(0, 2))
      await vi.advanceTimersByTimeAsync(ms - 1)
      store.want(playlist.slides.slice(1))
      await vi.advanceTimersByTimeAsync(0)
      expect(asked, 'nobody is asked meanwhile').toEqual([1, 2])
      await vi.advanceTimersByTimeAsync(1)
      expect(asked).toEqual([1, 2, 2, 3])
      isRefused = false
      await vi.advanceTimersByTimeAsync(60_000)
      expect([store.read(2), store.read(3)]).toEqual(['Caption 2', 'Caption 3'])
      store.close()
    } finally {
      vi.useRealTimers()
    }
  },
)

test('a caption from an event is used, but not over the owner’s own text', () => {
  const playlist = playlistOfSlides(2, { captions: ['Mine.'] })
  const { store } = openStore(playlist, () => 'never')
  store.hear(1, 'Theirs.')
  store.hear(2, 'Told.')
  store.hear(99, 'Nobody’s.')
  expect([store.read(1), store.read(2), store.read(99)]).toEqual(['Mine.', 'Told.', null])
})
