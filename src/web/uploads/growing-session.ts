/**
 * A session that exists as soon as its first pictures are stored, and grows as the others arrive. Each
 * request adds several, because a site limits requests. If the owner has changed the slides meanwhile,
 * they keep their order and new ones follow.
 */
import { statusOf } from '../api.ts'
import { retryDelay } from './retry-delay.ts'

/** A session as the server returns it. */
export type Grown = {
  readonly id: number
  readonly updatedAt: string
  readonly slideIds: readonly number[]
}

type SentSlide = { readonly id: number } | { readonly mediaId: number }

export type GrowthOutside = {
  readonly make: (mediaIds: readonly number[]) => Promise<Grown>
  readonly replace: (session: Grown, slides: readonly SentSlide[]) => Promise<Grown>
  readonly read: (sessionId: number) => Promise<Grown>
  readonly setTimer: (run: () => void, ms: number) => () => void
  readonly explain: (error: unknown) => string
  readonly onChange: (growth: Growth) => void
}

export type Growth = {
  readonly session: Grown | null
  readonly failure: string | null
  /** True when every item has arrived or was given up. */
  readonly isWhole: boolean
}

const firstSlides = 3
const maxConcurrent = 50
/** The longest time that a first picture waits for more. */
const patienceMs = 4000

export function growSession(total: number, outside: GrowthOutside) {
  /** The index in the whole list, by slide id. */
  const indexes = new Map<number, number>()
  let session: Grown | null = null
  let waiting: readonly { readonly mediaId: number; readonly index: number }[] = []
  /** The indexes of items that have arrived or were given up. A retried item can still arrive later. */
  const settled = new Set<number>()
  let tries = 0
  let isBusy = false
  let isImpatient = false
  /** True when the owner has changed the order of the slides. */
  let isForeign = false
  let failure: string | null = null

  const isSettled = () => settled.size >= total

  function notify() {
    const isWhole = isSettled() && waiting.length === 0 && !isBusy
    outside.onChange({ session, failure, isWhole })
  }

  function isDue(): boolean {
    if (waiting.length === 0) return false
    if (isSettled() || (isImpatient && session === null)) return true
    const enough = session === null ? firstSlides : Math.max(firstSlides, session.slideIds.length)
    return waiting.length >= Math.min(enough, maxConcurrent)
  }

  async function grow() {
    if (isBusy || failure !== null || !isDue()) return
    isBusy = true
    const sent = waiting
    try {
      await give(sent)
      waiting = waiting.filter((one) => !sent.includes(one))
      tries = 0
      isBusy = false
    } catch (error) {
      await judge(error)
    }
    notify()
    void grow()
  }

  async function give(added: typeof waiting) {
    if (session === null) {
      const ordered = added.toSorted((one, other) => one.index - other.index)
      session = await outside.make(ordered.map(({ mediaId }) => mediaId))
      remember(session, ordered)
      return
    }
    const known = session.slideIds.map((id) => ({ id, index: indexes.get(id) ?? -1 }))
    const all = [...known, ...added]
    const ordered = isForeign ? all : all.toSorted((one, other) => one.index - other.index)
    const slides = ordered.map((one) => ('id' in one ? { id: one.id } : { mediaId: one.mediaId }))
    session = await outside.replace(session, slides)
    remember(session, ordered)
  }

  function remember({ slideIds }: Grown, sent: readonly { readonly index: number }[]) {
    slideIds.forEach((id, index) => indexes.set(id, sent[index]?.index ?? -1))
  }

  async function judge(error: unknown) {
    tries += 1
    try {
      if (statusOf(error) === 412 && session !== null && tries < 6) {
        session = await outside.read(session.id)
        isForeign = true
        isBusy = false
        return
      }
    } catch (readError) {
      rest(readError)
      return
    }
    rest(error)
  }

  function rest(error: unknown) {
    const delay = retryDelay(error, tries)
    if (delay === null) {
      failure = outside.explain(error)
      isBusy = false
      return
    }
    outside.setTimer(() => {
      isBusy = false
      void grow()
    }, delay.ms)
  }

  return {
    stored(mediaId: number, index: number) {
      if (waiting.length === 0 && session === null)
        outside.setTimer(() => {
          isImpatient = true
          void grow()
        }, patienceMs)
      settled.add(index)
      waiting = [...waiting, { mediaId, index }]
      notify()
      void grow()
    },
    givenUp(index: number) {
      settled.add(index)
      notify()
      void grow()
    },
    retry() {
      failure = null
      tries = 0
      notify()
      void grow()
    },
  }
}
