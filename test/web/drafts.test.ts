/** Unsaved work on the device: its owner, its lifetime, and how the editor uses it. */
import { expect, test } from 'vitest'
import { forgetAllDrafts, forgetDraft, keepDraft, readDraft } from '../../src/web/drafts.ts'
import {
  bringBack,
  duplicateSlides,
  moveSlides,
  removedOf,
  sortSlides,
} from '../../src/web/features/editor/slide-list.ts'
import type { EditedSlide } from '../../src/web/features/editor/slides.ts'
import { createStorage } from '../support/web-storage.ts'

const day = 24 * 3_600_000

test('a draft is read again, until it is forgotten or two weeks old', () => {
  const storage = open()
  expect(keepDraft('ana:1', { slides: [] }, { nowMs: 0, storage })).toBe(true)
  expect(readDraft('ana:1', { nowMs: day, storage })).toEqual({
    keptAtMs: 0,
    content: { slides: [] },
  })
  expect(readDraft('bo:1', { nowMs: day, storage })).toBe(null)
  expect(readDraft('ana:1', { nowMs: 15 * day, storage })).toBe(null)
  expect(readDraft('ana:1', { nowMs: day, storage })).toBe(null)
})

test('signing out deletes the drafts, and nothing else', () => {
  const storage = open()
  storage().setItem('lanternist:player', '{}')
  for (const name of ['ana:1', 'ana:new', 'bo:2']) keepDraft(name, {}, { storage })
  forgetDraft('ana:1', { storage })
  forgetAllDrafts({ storage })
  expect([storage().length, storage().getItem('lanternist:player')]).toEqual([1, '{}'])
})

test('a device that keeps nothing says so and breaks nothing', () => {
  const storage = () => {
    throw new Error('no storage')
  }
  expect(keepDraft('ana:1', {}, { storage })).toBe(false)
  expect(readDraft('ana:1', { storage })).toBe(null)
  forgetAllDrafts({ storage })
})

const slides = ['b 10', 'a', 'b 9', 'c'].map((name, index): EditedSlide => ({
  key: String(index),
  source: { kind: 'address' },
  mediaUrl: `https://example.com/${name}.jpg`,
  thumbnail: null,
  type: 'image',
  caption: '',
  name,
  takenAtMs: [30, null, 10, 20][index] ?? null,
  durationMs: null,
  subfeed: null,
  postUrl: null,
}))
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)

test('slides are sorted by name as people count, and by date with the undated last', () => {
  expect(names(sortSlides(slides, 'name'))).toEqual(['a', 'b 9', 'b 10', 'c'])
  expect(names(sortSlides(slides, 'date'))).toEqual(['b 9', 'c', 'b 10', 'a'])
})

test('several slides move together, are duplicated in place and come back where they were', () => {
  const some = new Set(['0', '2'])
  expect(names(moveSlides(slides, some, 2))).toEqual(['a', 'c', 'b 10', 'b 9'])
  expect(names(moveSlides(slides, some, 99))).toEqual(['a', 'c', 'b 10', 'b 9'])
  const [first] = slides
  const copies = new Map([['0', { ...first!, key: 'copy' }]])
  expect(names(duplicateSlides(slides, copies))).toEqual(['b 10', 'b 10', 'a', 'b 9', 'c'])
  const left = slides.filter(({ key }) => !some.has(key))
  expect(names(bringBack(left, removedOf(slides, some)))).toEqual(names(slides))
  expect(bringBack(slides, removedOf(slides, some))).toBe(slides)
})

function open() {
  const storage = createStorage()
  return () => storage
}
