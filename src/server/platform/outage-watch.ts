/**
 * Distinguishes a slow remote server from one that has stopped answering. When a request has waited for a
 * second, or a connection was refused or closed, the watch sends a small probe. If the probe gets no answer
 * either, all waiting requests are refused at once. New ones are refused too, until the server answers
 * again.
 */
import { LinkedList } from './concurrency/linked-list.ts'

export type OutageWatch<Subject> = {
  /** Runs a request. Rejects with the refusal if the remote server is, or is found to be, unavailable. */
  run<T>(start: () => Promise<T>, waiting?: Waiting<Subject, T>): Promise<T>
  readonly isAway: boolean
  close(): void
}

export type Waiting<Subject, T> = {
  /** The thing that the probe checks, such as a connection. */
  readonly subject?: Subject
  /** The maximum time, even if the remote server answers others. */
  readonly limitMs?: number
  /** False if the result does not prove that the remote server answered. */
  readonly isProof?: boolean
  /** Receives a result that arrived after the refusal. */
  readonly onLate?: (result: T) => void
}

export type Remote<Subject> = {
  /**
   * Sends a small request, and resolves with the subjects that wait for an answer that will not arrive.
   * Rejects if it gets no answer itself.
   */
  probe(overdue: readonly Subject[]): Promise<readonly Subject[]>
  /** Returns true if a failure was an answer of the remote server, and false if there was none. */
  isAnswer(error: unknown): boolean
  refusal(reason: string): Error
  /**
   * The longest time after which an answer still proves that the server works. For a server that gets many
   * requests for one of ours: each could be answered in time, and the whole never completes.
   */
  readonly slowestProofMs?: number
  /** True to probe also after a failure without an answer, and not only when something waits long. */
  readonly asksAfterFailure?: boolean
  /** Called when one subject is lost while the server answers others. */
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
// If this process was blocked for longer, it could not have received an answer. That time does not count.
const longestStepMs = 3 * lookEveryMs
const overdueMs = 1000
const probeEveryMs = 400
/** Together with `overdueMs` it is well below the three seconds that a request may wait. */
const probeLimitMs = 1500

export function createOutageWatch<Subject>(remote: Remote<Subject>): OutageWatch<Subject> {
  const { slowestProofMs = Infinity, asksAfterFailure = false } = remote
  const waiting = new LinkedList<Entry<Subject>>()
  let isAway = false
  let isClosed = false
  let hasFailed = false
  let proofs = 0
  let probing: { readonly sinceMs: number; readonly end: () => void } | null = null
  let nextProbeMs = 0
  /** The time during which this process could receive answers. */
  let nowMs = 0
  let lookedAtMs = performance.now()

  function look(): void {
    const atMs = performance.now()
    nowMs += Math.min(atMs - lookedAtMs, longestStepMs)
    lookedAtMs = atMs
    for (const { value } of waiting.links())
      if (nowMs - value.sinceMs > value.limitMs)
        value.refuse(`did not answer within ${value.limitMs} ms`)
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
    const lost = await Promise.race([remote.probe(subjects).catch(() => null), late.promise])
    if (isClosed) return
    probing = null
    nextProbeMs = nowMs + probeEveryMs
    if (lost === null) {
      // Other requests may have been answered during the probe.
      if (!isAway && proofs === proofsBefore) goAway()
      return
    }
    if (isAway) comeBack()
    for (const { value: entry, isListed } of overdue) {
      if (!isListed || entry.subject === undefined) continue
      const isLost = lost.includes(entry.subject)
      // After the first probe, the answer may still have been on its way.
      if (isLost && entry.isSuspect) {
        entry.refuse('lost the connection')
        remote.onLost?.()
      }
      entry.isSuspect = isLost
    }
  }

  function goAway(): void {
    isAway = true
    for (const { value } of waiting.links()) value.refuse('does not answer')
    remote.onAway?.()
  }

  function comeBack(): void {
    isAway = false
    remote.onBack?.()
  }

  const timer = setInterval(look, lookEveryMs).unref()

  return {
    run<T>(start: () => Promise<T>, options: Waiting<Subject, T> = {}): Promise<T> {
      if (isAway) return Promise.reject(remote.refusal('does not answer'))
      const { subject, limitMs = Infinity, isProof = true, onLate } = options
      return new Promise((resolve, reject) => {
        const refuse = (reason: string) => {
          waiting.remove(link)
          reject(remote.refusal(reason))
        }
        const entry = { sinceMs: nowMs, limitMs, subject, refuse, isSuspect: false }
        const link = waiting.add(entry)
        const settle = (result: T) => {
          if (isProof && nowMs - entry.sinceMs <= slowestProofMs) proofs += 1
          if (waiting.remove(link)) resolve(result)
          else onLate?.(result)
        }
        start().then(settle, (error: unknown) => {
          if (remote.isAnswer(error)) proofs += 1
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
      remote.onClose?.()
    },
  }
}
