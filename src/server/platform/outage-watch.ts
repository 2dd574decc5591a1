/**
 * Tells a far side that is slow from one that has stopped answering. Whatever has waited for a second
 * makes the watch ask something small by itself, and so does a connection that was refused or ended.
 * Where that stays without an answer too, all who wait are refused at once, and so is everybody who
 * comes before the far side answers again.
 */
import { LinkedList } from './concurrency/linked-list.ts'

export type OutageWatch<Subject> = {
  /** Runs what waits for the far side; rejects with the refusal where it is, or is found to be, away. */
  run<T>(start: () => Promise<T>, waiting?: Waiting<Subject, T>): Promise<T>
  readonly isAway: boolean
  close(): void
}

export type Waiting<Subject, T> = {
  /** What the probe can be asked about, such as a connection. */
  readonly subject?: Subject
  /** The longest it may take, however alive the far side is. */
  readonly limitMs?: number
  /** False where the result can come without a word from the far side. */
  readonly isProof?: boolean
  /** Takes back what came after the refusal. */
  readonly onLate?: (result: T) => void
}

export type FarSide<Subject> = {
  /**
   * Asks something small, and resolves with those subjects that wait for an answer which will not
   * come. Rejects where it is not answered itself.
   */
  probe(overdue: readonly Subject[]): Promise<readonly Subject[]>
  /** Whether a failure was the far side's answer, or the lack of one. */
  isAnswer(error: unknown): boolean
  refusal(reason: string): Error
  /**
   * An answer that took longer proves nothing. For a far side that is asked many times for one
   * request: each question may be answered in time, and the request never.
   */
  readonly slowestProofMs?: number
  /** Also asks after a failure that was no answer, instead of only when something waits for long. */
  readonly asksAfterFailure?: boolean
  /** One of the subjects is lost, while the far side answers others. */
  onLost?(): void
  onAway?(): void
  onBack?(): void
  onClose?(): void
}

type Entry<Subject> = {
  readonly sinceMs: number
  readonly limitMs: number
  readonly subject: Subject | undefined
  readonly refuse: (reason: string) => void
  isSuspect: boolean
}

const lookEveryMs = 100
// A process that was held up for longer could not have heard an answer: such time is nobody's silence.
const longestStepMs = 3 * lookEveryMs
const overdueMs = 1000
const probeEveryMs = 400
/** With the time until something is overdue: well below the three seconds that a request may wait. */
const probeLimitMs = 1500

export function createOutageWatch<Subject>(farSide: FarSide<Subject>): OutageWatch<Subject> {
  const { slowestProofMs = Infinity, asksAfterFailure = false } = farSide
  const waiting = new LinkedList<Entry<Subject>>()
  let isAway = false
  let isClosed = false
  let hasFailed = false
  let proofs = 0
  let probing: { readonly sinceMs: number; readonly end: () => void } | null = null
  let nextProbeMs = 0
  /** The time in which this process could listen. */
  let nowMs = 0
  let lookedAtMs = performance.now()

  function look(): void {
    const atMs = performance.now()
    nowMs += Math.min(atMs - lookedAtMs, longestStepMs)
    lookedAtMs = atMs
    for (const { value } of waiting.links())
      if (nowMs - value.sinceMs > value.limitMs)
        value.refuse(`gave no answer within ${value.limitMs} ms`)
    const oldest = waiting.first
    const isOverdue = oldest !== undefined && nowMs - oldest.sinceMs >= overdueMs
    if (probing && nowMs - probing.sinceMs > probeLimitMs) probing.end()
    if ((isAway || isOverdue || hasFailed) && !probing && nowMs >= nextProbeMs) void probe()
  }

  async function probe(): Promise<void> {
    const late = Promise.withResolvers<null>()
    probing = { sinceMs: nowMs, end: () => late.resolve(null) }
    hasFailed = false
    const proofsBefore = proofs
    const overdue = waiting.links().filter(({ value }) => nowMs - value.sinceMs >= overdueMs)
    const subjects = overdue.flatMap(({ value: { subject } }) =>
      subject === undefined ? [] : [subject],
    )
    const lost = await Promise.race([farSide.probe(subjects).catch(() => null), late.promise])
    if (isClosed) return
    probing = null
    nextProbeMs = nowMs + probeEveryMs
    if (lost === null) {
      // Others may have been answered while the probe was not.
      if (!isAway && proofs === proofsBefore) goAway()
      return
    }
    if (isAway) comeBack()
    for (const { value: entry, isListed } of overdue) {
      if (!isListed || entry.subject === undefined) continue
      const isLost = lost.includes(entry.subject)
      // The answer may have been on its way the first time.
      if (isLost && entry.isSuspect) {
        entry.refuse('lost the connection')
        farSide.onLost?.()
      }
      entry.isSuspect = isLost
    }
  }

  function goAway(): void {
    isAway = true
    for (const { value } of waiting.links()) value.refuse('does not answer')
    farSide.onAway?.()
  }

  function comeBack(): void {
    isAway = false
    farSide.onBack?.()
  }

  const timer = setInterval(look, lookEveryMs).unref()

  return {
    run<T>(start: () => Promise<T>, options: Waiting<Subject, T> = {}): Promise<T> {
      if (isAway) return Promise.reject(farSide.refusal('does not answer'))
      const { subject, limitMs = Infinity, isProof = true, onLate } = options
      return new Promise((resolve, reject) => {
        const refuse = (reason: string) => {
          waiting.remove(link)
          reject(farSide.refusal(reason))
        }
        const entry = { sinceMs: nowMs, limitMs, subject, refuse, isSuspect: false }
        const link = waiting.add(entry)
        const settle = (result: T) => {
          if (isProof && nowMs - entry.sinceMs <= slowestProofMs) proofs += 1
          if (waiting.remove(link)) resolve(result)
          else onLate?.(result)
        }
        start().then(settle, (error: unknown) => {
          if (farSide.isAnswer(error)) proofs += 1
          else hasFailed = asksAfterFailure
          waiting.remove(link)
          reject(error)
        })
      })
    },
    get isAway() {
      return isAway
    },
    close() {
      isClosed = true
      clearInterval(timer)
      for (const { value } of waiting.links()) value.refuse('is no longer used')
      farSide.onClose?.()
    },
  }
}
