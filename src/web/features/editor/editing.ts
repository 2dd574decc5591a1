/**
 * The state of the editor: slides with a history, and the version that the server has. It is pure, so that
 * every action can be undone, saved or not.
 */
import type { OpenedSession } from '../sessions/session-data.ts'
import {
  changeSlides,
  type Action,
  type Editing,
  redo,
  settle,
  type Step,
  undo,
} from './edit-history.ts'
import {
  bringBack,
  changeOne,
  duplicateSlides,
  moveSlides,
  type Removed,
  sortSlides,
  type SortOrder,
  withCaptions,
} from './slide-list.ts'
import {
  canComeBack,
  type EditedSlide,
  isSameList,
  type Kept,
  keptAfterSaving,
  keptOf,
} from './slides.ts'

export type Edit =
  | { readonly type: 'select'; readonly key: string }
  /** Actions with the same thread are one step, such as the files of one upload. */
  | { readonly type: 'add'; readonly slides: readonly EditedSlide[]; thread?: string }
  | { readonly type: 'remove'; readonly keys: ReadonlySet<string> }
  | { readonly type: 'bring back'; readonly removed: readonly Removed[] }
  /** Maps the key of each original to its copy. */
  | { readonly type: 'duplicate'; readonly copies: ReadonlyMap<string, EditedSlide> }
  | { readonly type: 'sort'; readonly order: SortOrder }
  /** A move that repeats while a key is held joins the previous step. */
  | { readonly type: 'move'; readonly keys: ReadonlySet<string>; to: number; isRepeat?: boolean }
  /** Restores an unsaved draft of this device. */
  | { readonly type: 'restore'; readonly slides: readonly EditedSlide[] }
  /** The session itself changed, but none of its slides. */
  | { readonly type: 'touched'; readonly updatedAt: string }
  | { readonly type: 'caption'; readonly key: string; readonly caption: string }
  | { readonly type: 'duration'; readonly key: string; readonly durationMs: number | null }
  /** Changes many captions as one step. */
  | { readonly type: 'captions'; readonly captions: ReadonlyMap<string, string>; thread: string }
  /** Ends the current step: the next letter begins a new one. */
  | { readonly type: 'settle' }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  | { readonly type: 'saved'; readonly sent: readonly EditedSlide[]; opened: OpenedSession }
  /** The server has written a caption. */
  | { readonly type: 'written'; readonly id: number; readonly caption: string; thread: string }
  /** Replaces the local version with the server's version. */
  | { readonly type: 'theirs'; readonly opened: OpenedSession; thread: string | null }
  /** Keeps the local version, to be saved over the server's version. */
  | { readonly type: 'mine'; readonly opened: OpenedSession }

export function beginEditing(opened: OpenedSession | null): Editing {
  const kept = opened && keptOf(opened)
  const slides = kept?.slides ?? []
  return { slides, selectedKey: slides[0]?.key ?? null, past: [], future: [], kept }
}

export function edit(state: Editing, action: Edit): Editing {
  switch (action.type) {
    case 'select':
      return settle({ ...state, selectedKey: action.key })
    case 'settle':
      return settle(state)
    case 'add':
      return add(state, action.slides, action.thread ?? null)
    case 'remove':
      return remove(state, action.keys)
    case 'bring back':
      return comeBack(state, action.removed)
    case 'duplicate':
      return changeSlides(
        state,
        { action: { done: 'duplicated', count: action.copies.size }, thread: null },
        duplicateSlides(state.slides, action.copies),
      )
    case 'sort':
      return changeSlides(
        state,
        { action: action.order === 'name' ? 'sortedByName' : 'sortedByDate', thread: null },
        sortSlides(state.slides, action.order),
      )
    case 'move':
      return move(action.isRepeat === true ? state : settle(state), action.keys, action.to)
    case 'restore':
      return select(
        changeSlides(state, { action: 'draftRestored', thread: null }, action.slides),
        action.slides[0]?.key ?? null,
      )
    case 'touched':
      return state.kept ? { ...state, kept: { ...state.kept, updatedAt: action.updatedAt } } : state
    case 'caption':
      return changeSlides(
        state,
        { action: 'captionChanged', thread: `caption-${action.key}` },
        changeOne(state.slides, action.key, { caption: action.caption }),
      )
    case 'duration':
      return changeSlides(
        state,
        { action: 'durationChanged', thread: `duration-${action.key}` },
        changeOne(state.slides, action.key, { durationMs: action.durationMs }),
      )
    case 'captions':
      return changeSlides(
        state,
        { action: 'captionsRewritten', thread: action.thread },
        withCaptions(state.slides, action.captions),
      )
    case 'undo':
      return undo(state)
    case 'redo':
      return redo(state)
    case 'saved':
      return saved(state, keptAfterSaving(action.sent, action.opened))
    case 'written':
      return written(state, action)
    case 'theirs':
      return takeTheirs(state, action)
    case 'mine':
      return saved(state, keptOf(action.opened, state.kept))
  }
}

export function isDirty({ slides, kept }: Editing): boolean {
  return !isSameList(slides, kept?.slides ?? [])
}

export function selectedSlide({ slides, selectedKey }: Editing): EditedSlide | null {
  return slides.find(({ key }) => key === selectedKey) ?? null
}

function add(state: Editing, added: readonly EditedSlide[], thread: string | null): Editing {
  const [first] = added
  if (!first) return state
  const isMore = thread !== null && state.past.at(-1)?.thread === thread
  const action: Action = thread === null ? { done: 'added', count: added.length } : 'slidesAdded'
  const changed = changeSlides(state, { action, thread }, [...state.slides, ...added])
  return isMore ? changed : select(changed, first.key)
}

/** Selects the next slide after a removal, so that it can be removed too. */
function remove(state: Editing, keys: ReadonlySet<string>): Editing {
  const slides = state.slides.filter(({ key }) => !keys.has(key))
  const action: Action = { done: 'removed', count: state.slides.length - slides.length }
  const changed = changeSlides(state, { action, thread: null }, slides)
  const { selectedKey } = state
  if (selectedKey === null || !keys.has(selectedKey)) return changed
  const index = state.slides.findIndex(({ key }) => key === selectedKey)
  const after = state.slides.slice(index).find(({ key }) => !keys.has(key))
  const before = state.slides.slice(0, index).findLast(({ key }) => !keys.has(key))
  return select(changed, (after ?? before)?.key ?? null)
}

/** Restores removed slides, except those that the server has deleted permanently. */
function comeBack(state: Editing, removed: readonly Removed[]): Editing {
  const { kept } = state
  const there = removed.filter(({ slide }) => kept?.ids.has(slide.key) || canComeBack(slide))
  const action: Action = { done: 'restored', count: there.length }
  const slides = bringBack(state.slides, there)
  const changed = changeSlides(state, { action, thread: null }, slides)
  return changed === state ? state : select(changed, there[0]?.slide.key ?? state.selectedKey)
}

function move(state: Editing, keys: ReadonlySet<string>, to: number): Editing {
  const slides = moveSlides(state.slides, keys, to)
  const first = state.slides.find(({ key }) => keys.has(key))
  if (!first) return state
  const action: Action = { done: 'moved', count: keys.size }
  const changed = changeSlides(state, { action, thread: `move-${[...keys].join(' ')}` }, slides)
  if (changed === state) return state
  const { selectedKey } = state
  return selectedKey !== null && keys.has(selectedKey) ? changed : select(changed, first.key)
}

function select(state: Editing, selectedKey: string | null): Editing {
  return { ...state, selectedKey }
}

/**
 * Stores the saved version. Drops the history steps that contain permanently deleted slides and keeps the
 * others.
 */
function saved(state: Editing, kept: Kept): Editing {
  const gone = new Set(
    (state.kept?.slides ?? [])
      .filter((slide) => !kept.ids.has(slide.key) && !canComeBack(slide))
      .map(({ key }) => key),
  )
  const hasGone = ({ slides }: Step) => slides.some(({ key }) => gone.has(key))
  const cut = state.future.findIndex(hasGone)
  return {
    ...settle(state),
    kept,
    past: state.past.slice(state.past.findLastIndex(hasGone) + 1),
    future: cut === -1 ? state.future : state.future.slice(0, cut),
  }
}

function written(
  state: Editing,
  { id, caption, thread }: { id: number; caption: string; thread: string },
): Editing {
  const { kept } = state
  const key = [...(kept?.ids ?? [])].find(([, known]) => known === id)?.[0]
  if (!kept || key === undefined) return state
  const slides = changeOne(state.slides, key, { caption })
  const changed = changeSlides(state, { action: 'captionsWritten', thread }, slides)
  return { ...changed, kept: { ...kept, slides: changeOne(kept.slides, key, { caption }) } }
}

function takeTheirs(
  state: Editing,
  { opened, thread }: { opened: OpenedSession; thread: string | null },
): Editing {
  const kept = keptOf(opened, state.kept)
  const action = thread === null ? 'theirsTaken' : 'captionsWritten'
  const changed = changeSlides(state, { action, thread }, kept.slides)
  const isThere = kept.slides.some(({ key }) => key === state.selectedKey)
  const selectedKey = isThere ? state.selectedKey : (kept.slides[0]?.key ?? null)
  return { ...changed, kept, selectedKey }
}
