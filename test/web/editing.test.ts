/** The editor's state: every change can be undone, and the server's copy is never lost. */
import { expect, test } from 'vitest'
import { beginEditing, edit, type Edit, isDirty } from '../../src/web/features/editor/editing.ts'
import type { Editing } from '../../src/web/features/editor/edit-history.ts'
import { type EditedSlide, slidesToSave } from '../../src/web/features/editor/slides.ts'
import type { OpenedSession } from '../../src/web/features/sessions/session-data.ts'

test('every edit is undone and done again, and undoing all of it leaves nothing to save', () => {
  const start = beginEditing(opened(['a', 'b', 'c']))
  const edits: Edit[] = [
    { type: 'move', keys: one('slide-1'), to: 2 },
    { type: 'caption', key: 'slide-2', caption: 'Walk slowly.' },
    { type: 'duration', key: 'slide-2', durationMs: 8000 },
    { type: 'remove', keys: one('slide-3') },
    { type: 'add', slides: [added('new-1')] },
  ]
  const states = [start]
  for (const action of edits) states.push(edit(states.at(-1)!, action))
  let state = states.at(-1)!
  for (const before of states.slice(0, -1).toReversed()) {
    state = edit(state, { type: 'undo' })
    expect(state.slides).toEqual(before.slides)
  }
  expect([isDirty(state), state.past]).toEqual([false, []])
  for (const after of states.slice(1)) {
    state = edit(state, { type: 'redo' })
    expect(state.slides).toEqual(after.slides)
  }
  expect(edit(state, { type: 'redo' })).toBe(state)
})

test('letters typed in a row are one step, and a pause starts another', () => {
  let state = beginEditing(opened(['a']))
  const type = (caption: string) => edit(state, { type: 'caption', key: 'slide-1', caption })
  for (const text of ['W', 'Wa', 'Wal']) state = type(text)
  state = edit(state, { type: 'settle' })
  for (const text of ['Walk', 'Walk.']) state = type(text)
  expect(captions(edit(state, { type: 'undo' }))).toEqual(['Wal'])
  expect(captions(edit(edit(state, { type: 'undo' }), { type: 'undo' }))).toEqual(['a'])
})

test('each move of a slide is one step, and a held key’s repeats are one', () => {
  let state = beginEditing(opened(['a', 'b', 'c', 'd']))
  for (const to of [1, 2]) state = edit(state, { type: 'move', keys: one('slide-1'), to })
  expect(captions(edit(state, { type: 'undo' }))).toEqual(['b', 'a', 'c', 'd'])
  state = edit(state, { type: 'move', keys: one('slide-4'), to: 2 })
  for (const to of [1, 0])
    state = edit(state, { type: 'move', keys: one('slide-4'), to, isRepeat: true })
  expect(captions(edit(state, { type: 'undo' }))).toEqual(['b', 'c', 'a', 'd'])
})

test('an edit after undoing forgets what could have been done again', () => {
  let state = beginEditing(opened(['a', 'b']))
  state = edit(state, { type: 'remove', keys: one('slide-1') })
  state = edit(state, { type: 'undo' })
  state = edit(state, { type: 'move', keys: one('slide-1'), to: 1 })
  expect(state.future).toEqual([])
})

test('a slide is not moved beyond the ends, and staying in place is no edit', () => {
  const state = beginEditing(opened(['a', 'b']))
  expect(keys(edit(state, { type: 'move', keys: one('slide-1'), to: 9 }))).toEqual([
    'slide-2',
    'slide-1',
  ])
  expect(edit(state, { type: 'move', keys: one('slide-1'), to: -3 })).toBe(state)
})

test('removing the selected slide selects the next one, at the end the one before', () => {
  let state = edit(beginEditing(opened(['a', 'b', 'c'])), { type: 'select', key: 'slide-2' })
  state = edit(state, { type: 'remove', keys: one('slide-2') })
  expect(state.selectedKey).toBe('slide-3')
  state = edit(state, { type: 'remove', keys: one('slide-3') })
  expect(state.selectedKey).toBe('slide-1')
  expect(edit(state, { type: 'remove', keys: one('slide-1') }).selectedKey).toBeNull()
})

test('only what has changed is sent, so that captions of an AI stay known as such', () => {
  let state = beginEditing(opened(['a', 'b']))
  state = edit(state, { type: 'caption', key: 'slide-2', caption: ' ' })
  state = edit(state, { type: 'add', slides: [added('new-1')] })
  expect(sent(state)).toEqual([
    { id: 1 },
    { id: 2, caption: null },
    { mediaUrl: 'https://pictures.example/new-1.jpg', caption: null, durationMs: null },
  ])
})

test('work that goes on while saving is not taken for saved', () => {
  let state = edit(beginEditing(opened(['a'])), { type: 'caption', key: 'slide-1', caption: 'b' })
  const sentSlides = state.slides
  state = edit(state, { type: 'caption', key: 'slide-1', caption: 'bc' })
  state = edit(state, { type: 'saved', sent: sentSlides, opened: opened(['b'], { at: later }) })
  expect([isDirty(state), state.kept?.updatedAt]).toEqual([true, later])
  expect(sent(state)).toEqual([{ id: 1, caption: 'bc' }])
})

test('a removed and saved slide is restored under a new id', () => {
  let state = edit(beginEditing(opened(['a', 'b'])), { type: 'remove', keys: one('slide-1') })
  state = edit(state, { type: 'saved', sent: state.slides, opened: opened(['b'], { first: 2 }) })
  state = edit(state, { type: 'undo' })
  expect(isDirty(state)).toBe(true)
  expect(sent(state)).toEqual([
    { mediaUrl: 'https://pictures.example/1.jpg', caption: 'a', durationMs: null },
    { id: 2 },
  ])
})

test('a file that went with its slide is not promised by the history', () => {
  let state = beginEditing(opened(['a', 'b'], { folder: '/media/sessions' }))
  state = edit(state, { type: 'remove', keys: one('slide-1') })
  state = edit(state, { type: 'caption', key: 'slide-2', caption: 'c' })
  state = edit(state, { type: 'saved', sent: state.slides, opened: opened(['c'], { first: 2 }) })
  state = edit(state, { type: 'undo' })
  expect([keys(state), captions(state)]).toEqual([['slide-2'], ['b']])
  expect(edit(state, { type: 'undo' })).toBe(state)
})

test('using the other version can be undone, and keeping one’s own overwrites it', () => {
  const start = beginEditing(opened(['a', 'b']))
  const mine = edit(start, { type: 'caption', key: 'slide-1', caption: 'mine' })
  const other = opened(['theirs', 'b', 'c'], { at: later })

  const taken = edit(mine, { type: 'theirs', opened: other, thread: null })
  expect([captions(taken), isDirty(taken)]).toEqual([['theirs', 'b', 'c'], false])
  expect(captions(edit(taken, { type: 'undo' }))).toEqual(['mine', 'b'])

  const kept = edit(mine, { type: 'mine', opened: other })
  expect([captions(kept), isDirty(kept), kept.kept?.updatedAt]).toEqual([
    ['mine', 'b'],
    true,
    later,
  ])
  expect(sent(kept)).toEqual([{ id: 1, caption: 'mine' }, { id: 2 }])
})

test('captions that arrive one by one are saved already, and one step to undo', () => {
  let state = beginEditing(opened(['', '']))
  state = edit(state, { type: 'written', id: 1, caption: 'One', thread: 'job' })
  state = edit(state, { type: 'written', id: 2, caption: 'Two', thread: 'job' })
  state = edit(state, { type: 'theirs', opened: opened(['One', 'Two']), thread: 'job' })
  expect([captions(state), isDirty(state)]).toEqual([['One', 'Two'], false])
  state = edit(state, { type: 'undo' })
  expect([captions(state), isDirty(state)]).toEqual([['', ''], true])
})

const earlier = '2026-01-01T00:00:00.000Z'
const later = '2026-01-01T00:01:00.000Z'

function opened(
  captions: readonly string[],
  { at = earlier, first = 1, folder = 'https://pictures.example' } = {},
): OpenedSession {
  const media = captions.map((caption, index) => ({
    id: first + index,
    sessionId: 7,
    mediaUrl: `${folder}/${first + index}.jpg`,
    thumbnail: null,
    caption: caption === '' ? null : caption,
    type: 'image' as const,
    feedPostId: null,
    feedPostUrl: null,
    subfeed: null,
    alt: null,
    credit: null,
    order: index,
    width: null,
    height: null,
    durationMs: null,
    lengthMs: null,
    sizes: null,
    focus: null,
    nsfw: false,
    isBroken: false,
  }))
  return {
    session: { ...session, updatedAt: at, mediaCount: media.length },
    media,
    skipped: [],
    isCopying: false,
  }
}

const session: OpenedSession['session'] = {
  id: 7,
  title: 'Slow mornings',
  userId: 'user-1',
  subfeeds: [],
  categoryId: 1,
  categorySource: 'default',
  intervalMin: 4,
  intervalMax: 9,
  transition: 'fade',
  thumbnail: null,
  aiPrompt: null,
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
  mediaCount: 0,
  fillStatus: 'ready',
  fillError: null,
  linkHealth: null,
  refreshDaily: false,
  createdAt: earlier,
  updatedAt: earlier,
}

function added(key: string): EditedSlide {
  return {
    key,
    source: { kind: 'address' },
    mediaUrl: `https://pictures.example/${key}.jpg`,
    thumbnail: null,
    type: 'image',
    caption: '',
    durationMs: null,
    name: '',
    takenAtMs: null,
    subfeed: null,
    postUrl: null,
  }
}

function keys({ slides }: Editing): string[] {
  return slides.map(({ key }) => key)
}

function captions({ slides }: Editing): string[] {
  return slides.map(({ caption }) => caption)
}

function sent({ slides, kept }: Editing) {
  return kept && slidesToSave(slides, kept)
}

function one(key: string): ReadonlySet<string> {
  return new Set([key])
}
