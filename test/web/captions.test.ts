/** The captions of a show: kept for a day, asked for once, and not at all where they are not wanted. */
import { expect, test } from 'vitest'
import { ApiProblem } from '../../src/client/client.ts'
import { createCaptionBook } from '../../src/web/features/player/caption-book.ts'
import { createCaptionShelf } from '../../src/web/features/player/outside/caption-shelf.ts'
import { createShelf } from '../support/web-shelf.ts'
import { programmeOfSlides } from '../support/web-programme.ts'

const hourMs = 3_600_000
const settled = () => new Promise((resolve) => setTimeout(resolve))

function openBook(
  programme: ReturnType<typeof programmeOfSlides>,
  answer: (slideId: number) => string | Error,
  shelf = createCaptionShelf(createShelf, () => 0),
) {
  const asked: number[] = []
  const book = createCaptionBook({
    programme,
    shelf,
    ask: async ({ id }) => {
      asked.push(id)
      const text = answer(id)
      if (text instanceof Error) throw text
      return text
    },
  })
  return { book, asked }
}

const refusal = (status: number) => new ApiProblem({ status, headers: new Headers(), body: {} })

test('a caption is kept for a day in its voice, and then forgotten', () => {
  const storage = createShelf()
  let nowMs = 0
  const shelf = createCaptionShelf(
    () => storage,
    () => nowMs,
  )
  const place = { sessionId: 1, slideId: 2, voice: 'narrator' }
  shelf.keep(place, 'Look\nup.')
  expect(shelf.read(place)).toBe('Look\nup.')
  expect(shelf.read({ ...place, voice: 'walker' })).toBe(null)
  nowMs = 24 * hourMs - 1
  expect(shelf.read(place)).toBe('Look\nup.')
  nowMs = 24 * hourMs
  expect(shelf.read(place)).toBe(null)
  storage.setItem('somebody else’s', 'stays')
  shelf.tidy()
  expect([storage.length, storage.key(0)]).toEqual([1, 'somebody else’s'])
})

test('captions that are there are not asked for; the others are, once', async () => {
  const programme = programmeOfSlides(3, { captions: ['Mine.'] })
  const { book, asked } = openBook(programme, (id) => `Caption ${id}`)
  book.want(programme.slides)
  book.want(programme.slides)
  expect([book.read(1), book.isPending(2)]).toEqual(['Mine.', true])
  await settled()
  expect(asked).toEqual([2, 3])
  expect([book.read(2), book.isPending(2)]).toEqual(['Caption 2', false])
})

test('what was written once is there the next time, and in another voice it is written anew', async () => {
  const storage = createShelf()
  const shelf = createCaptionShelf(
    () => storage,
    () => 0,
  )
  const first = openBook(programmeOfSlides(1), () => 'Written once.', shelf)
  first.book.want(programmeOfSlides(1).slides)
  await settled()
  const again = openBook(programmeOfSlides(1), () => 'Written twice.', shelf)
  expect(again.book.read(1)).toBe('Written once.')
  const wished = openBook(programmeOfSlides(1, { aiPrompt: 'In verse' }), () => 'Verse.', shelf)
  expect(wished.book.read(1)).toBe(null)
})

test('nobody is asked about one’s own pictures, nor about what has no still', async () => {
  const own = programmeOfSlides(2, { subfeeds: [] })
  const { book, asked } = openBook(own, () => 'never')
  book.want(own.slides)
  const moving = programmeOfSlides(1, { type: 'video', thumbnail: null })
  const film = openBook(moving, () => 'never')
  film.book.want(moving.slides)
  await settled()
  expect([asked, film.asked]).toEqual([[], []])
})

test.each([
  [503, 1],
  [429, 1],
  [403, 1],
  [422, 3],
])('after an answer of %i, %i of three slides have been asked for', async (status, expected) => {
  const programme = programmeOfSlides(3)
  const { book, asked } = openBook(programme, () => refusal(status))
  for (const slide of programme.slides) {
    book.want([slide])
    await settled()
  }
  expect(asked).toHaveLength(expected)
})

test('a caption that the server tells of is heard, but not over one’s own words', () => {
  const programme = programmeOfSlides(2, { captions: ['Mine.'] })
  const { book } = openBook(programme, () => 'never')
  book.hear(1, 'Theirs.')
  book.hear(2, 'Told.')
  book.hear(99, 'Nobody’s.')
  expect([book.read(1), book.read(2), book.read(99)]).toEqual(['Mine.', 'Told.', null])
})
