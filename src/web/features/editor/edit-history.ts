/** The undo history of the editor. Consecutive letters are one step. */
import { type EditedSlide, isSameList, type Kept } from './slides.ts'

/** The action of a step, announced when it is undone. Some actions have a count. */
export type Action = PlainAction | { readonly done: CountedAction; readonly count: number }

type PlainAction =
  | 'slidesAdded'
  | 'sortedByDate'
  | 'sortedByName'
  | 'draftRestored'
  | 'captionChanged'
  | 'durationChanged'
  | 'captionsRewritten'
  | 'captionsWritten'
  | 'theirsTaken'

type CountedAction = 'added' | 'duplicated' | 'removed' | 'restored' | 'moved'

/** The slides before an action, or after it in `future`. */
export type Step = {
  readonly slides: readonly EditedSlide[]
  readonly selectedKey: string | null
  readonly action: Action
  /** Consecutive actions with the same thread are one step, such as the letters of a caption. */
  readonly thread: string | null
}

export type Editing = {
  readonly slides: readonly EditedSlide[]
  readonly selectedKey: string | null
  readonly past: readonly Step[]
  readonly future: readonly Step[]
  /** Null for a session that is not created yet. */
  readonly kept: Kept | null
}

const maxSteps = 200

export function changeSlides(
  state: Editing,
  { action, thread }: { action: Action; thread: string | null },
  slides: readonly EditedSlide[],
): Editing {
  if (isSameList(slides, state.slides)) return state
  const { selectedKey, past } = state
  const continues = thread !== null && past.at(-1)?.thread === thread
  const step = { slides: state.slides, selectedKey, action, thread }
  return {
    ...state,
    slides,
    past: continues ? past : [...past, step].slice(-maxSteps),
    future: [],
  }
}

export function settle(state: Editing): Editing {
  const last = state.past.at(-1)
  if (!last || last.thread === null) return state
  return { ...state, past: [...state.past.slice(0, -1), { ...last, thread: null }] }
}

export function undo(state: Editing): Editing {
  const step = state.past.at(-1)
  if (!step) return state
  const { slides, selectedKey } = state
  return {
    ...state,
    slides: step.slides,
    selectedKey: step.selectedKey,
    past: state.past.slice(0, -1),
    future: [{ slides, selectedKey, action: step.action, thread: null }, ...state.future],
  }
}

export function redo(state: Editing): Editing {
  const [step, ...future] = state.future
  if (!step) return state
  const { slides, selectedKey, past } = state
  return {
    ...state,
    slides: step.slides,
    selectedKey: step.selectedKey,
    past: [...past, { slides, selectedKey, action: step.action, thread: null }],
    future,
  }
}
