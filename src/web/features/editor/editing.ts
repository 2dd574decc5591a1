/**
 * The state of the editor: slides with a history, and what the server has of them. It is pure, so
 * that whatever is done can be undone, whether it has been saved or not.
 */
import type { OpenedSession } from '../sessions/session-data.ts'
import {
  canComeBack,
  type EditedSlide,
  isSameList,
  type Kept,
  keptAfterSaving,
  keptOf,
} from './slides.ts'

/** What was done, in the words of a sentence such as 'Undone: slide removed'. */
type Deed = string

/** The slides as they were before a deed (or after it, in the future). */
type Step = {
  readonly slides: readonly EditedSlide[]
  readonly selectedKey: string | null
  readonly deed: Deed
  /** Deeds in a row with one thread are one step, such as the letters of a caption. */
  readonly thread: string | null
}

export type Editing = {
  readonly slides: readonly EditedSlide[]
  readonly selectedKey: string | null
  readonly past: readonly Step[]
  readonly future: readonly Step[]
  /** Null for a session that is not made yet. */
  readonly kept: Kept | null
}

export type Edit =
  | { readonly type: 'select'; readonly key: string }
  | { readonly type: 'add'; readonly slides: readonly EditedSlide[] }
  | { readonly type: 'remove'; readonly key: string }
  /** What repeats while a key is held is one step with what it repeats. */
  | { readonly type: 'move'; readonly key: string; readonly to: number; isRepeat?: boolean }
  | { readonly type: 'caption'; readonly key: string; readonly caption: string }
  | { readonly type: 'duration'; readonly key: string; readonly durationMs: number | null }
  /** Many captions as one step. */
  | { readonly type: 'captions'; readonly captions: ReadonlyMap<string, string>; thread: string }
  /** The next letter begins a new step. */
  | { readonly type: 'settle' }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  | { readonly type: 'saved'; readonly sent: readonly EditedSlide[]; opened: OpenedSession }
  /** The server has written a caption. */
  | { readonly type: 'written'; readonly id: number; readonly caption: string; thread: string }
  /** What the server has takes the place of what is here. */
  | { readonly type: 'theirs'; readonly opened: OpenedSession; thread: string | null }
  /** What is here stays, to be saved over what the server has. */
  | { readonly type: 'mine'; readonly opened: OpenedSession }

const mostSteps = 200

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
      return add(state, action.slides)
    case 'remove':
      return remove(state, action.key)
    case 'move':
      return move(action.isRepeat === true ? state : settle(state), action.key, action.to)
    case 'caption':
      return changeSlides(
        state,
        { deed: 'caption changed', thread: `caption ${action.key}` },
        changeOne(state.slides, action.key, { caption: action.caption }),
      )
    case 'duration':
      return changeSlides(
        state,
        { deed: 'duration changed', thread: `duration ${action.key}` },
        changeOne(state.slides, action.key, { durationMs: action.durationMs }),
      )
    case 'captions':
      return changeSlides(
        state,
        { deed: 'captions rewritten', thread: action.thread },
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

function add(state: Editing, added: readonly EditedSlide[]): Editing {
  const [first] = added
  if (!first) return state
  const deed = added.length === 1 ? 'slide added' : `${added.length} slides added`
  const changed = changeSlides(state, { deed, thread: null }, [...state.slides, ...added])
  return { ...changed, selectedKey: first.key }
}

/** After a removal the next slide is selected, ready to be removed too. */
function remove(state: Editing, key: string): Editing {
  const index = state.slides.findIndex((slide) => slide.key === key)
  if (index === -1) return state
  const slides = state.slides.filter((slide) => slide.key !== key)
  const changed = changeSlides(state, { deed: 'slide removed', thread: null }, slides)
  if (state.selectedKey !== key) return changed
  return { ...changed, selectedKey: (slides[index] ?? slides[index - 1])?.key ?? null }
}

function move(state: Editing, key: string, to: number): Editing {
  const from = state.slides.findIndex((slide) => slide.key === key)
  const moved = state.slides[from]
  const place = Math.max(0, Math.min(to, state.slides.length - 1))
  if (!moved || from === place) return state
  const slides = state.slides.toSpliced(from, 1).toSpliced(place, 0, moved)
  return {
    ...changeSlides(state, { deed: 'slide moved', thread: `move ${key}` }, slides),
    selectedKey: key,
  }
}

function changeSlides(
  state: Editing,
  { deed, thread }: { deed: Deed; thread: string | null },
  slides: readonly EditedSlide[],
): Editing {
  if (isSameList(slides, state.slides)) return state
  const { selectedKey, past } = state
  const continues = thread !== null && past.at(-1)?.thread === thread
  const step = { slides: state.slides, selectedKey, deed, thread }
  return {
    ...state,
    slides,
    past: continues ? past : [...past, step].slice(-mostSteps),
    future: [],
  }
}

function settle(state: Editing): Editing {
  const last = state.past.at(-1)
  if (!last || last.thread === null) return state
  return { ...state, past: [...state.past.slice(0, -1), { ...last, thread: null }] }
}

function undo(state: Editing): Editing {
  const step = state.past.at(-1)
  if (!step) return state
  const { slides, selectedKey } = state
  return {
    ...state,
    slides: step.slides,
    selectedKey: step.selectedKey,
    past: state.past.slice(0, -1),
    future: [{ slides, selectedKey, deed: step.deed, thread: null }, ...state.future],
  }
}

function redo(state: Editing): Editing {
  const [step, ...future] = state.future
  if (!step) return state
  const { slides, selectedKey, past } = state
  return {
    ...state,
    slides: step.slides,
    selectedKey: step.selectedKey,
    past: [...past, { slides, selectedKey, deed: step.deed, thread: null }],
    future,
  }
}

/** History that would bring back what is gone for good is forgotten; the rest of it stays. */
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
  const changed = changeSlides(state, { deed: 'captions written', thread }, slides)
  return { ...changed, kept: { ...kept, slides: changeOne(kept.slides, key, { caption }) } }
}

function takeTheirs(
  state: Editing,
  { opened, thread }: { opened: OpenedSession; thread: string | null },
): Editing {
  const kept = keptOf(opened, state.kept)
  const deed = thread === null ? 'the other version taken' : 'captions written'
  const changed = changeSlides(state, { deed, thread }, kept.slides)
  const isThere = kept.slides.some(({ key }) => key === state.selectedKey)
  const selectedKey = isThere ? state.selectedKey : (kept.slides[0]?.key ?? null)
  return { ...changed, kept, selectedKey }
}

function changeOne(
  slides: readonly EditedSlide[],
  key: string,
  change: Partial<EditedSlide>,
): readonly EditedSlide[] {
  return slides.map((slide) => (slide.key === key ? { ...slide, ...change } : slide))
}

function withCaptions(
  slides: readonly EditedSlide[],
  captions: ReadonlyMap<string, string>,
): readonly EditedSlide[] {
  return slides.map((slide) => ({ ...slide, caption: captions.get(slide.key) ?? slide.caption }))
}
