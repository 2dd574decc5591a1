/**
 * Writes captions with a provider: limits concurrency and total time, and retries refusals. The result is
 * a caption that can be shown, or a CaptionFailed.
 */
import { Semaphore } from '../../../platform/concurrency/semaphore.ts'
import type { CaptionOrder, CaptionProvider, CaptionPurpose } from './caption-provider.ts'
import { CaptionFailed } from './caption-provider.ts'
import { composePrompt, minorRefusal } from './prompts.ts'
import { isRefusalText, refusalFault } from './refusals.ts'
import type { CaptionLength } from './shape-caption.ts'
import { repeatsInstructions, shapeCaption } from './shape-caption.ts'

declare module '../../../context.ts' {
  interface Context {
    readonly captions: CaptionWriter
  }
}

export type CaptionWriter = {
  readonly name: CaptionProvider['name']
  readonly model: string | null
  /** The limit of time for a caption, including the wait for a turn. */
  readonly budgetMs: number
  write(order: CaptionOrder, options?: { signal?: AbortSignal }): Promise<string>
  /** Recent pictures by address, so that a known picture is not fetched again. */
  readonly pictures: PictureMemory
  /** Runs `work`, or shares the result of a running call with the same key. */
  once<T>(key: string, work: () => Promise<T>): Promise<T>
}

export type WriterOptions = {
  readonly sleep: (ms: number) => Promise<void>
  readonly budgetMs?: number
  readonly atOnce?: number
}

const lengths: Readonly<Record<CaptionPurpose, CaptionLength>> = {
  playback: { min: 0, max: 150 },
  manual: { min: 50, max: 400 },
  rewrite: { min: 0, max: 400 },
}

/** The attempts for a caption when the provider refuses. */
const attempts: Readonly<Record<CaptionPurpose, number>> = { playback: 3, manual: 2, rewrite: 2 }
const betweenAttemptsMs = 400

export function createCaptionWriter(
  provider: CaptionProvider,
  { sleep, budgetMs = 30_000, atOnce = 8 }: WriterOptions,
): CaptionWriter {
  const semaphore = new Semaphore({ atOnce })
  const running = new Map<string, Promise<unknown>>()

  const tryUntilWritten = async (order: CaptionOrder, signal: AbortSignal) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return captionOf(await provider.ask(order, { attempt, signal }), order)
      } catch (error) {
        if (signal.aborted) throw tooLate(error)
        const failed = error instanceof CaptionFailed ? error : broken(error)
        if (failed.fault !== 'policy' || attempt >= attempts[order.purpose]) throw failed
        await sleep(betweenAttemptsMs)
        if (signal.aborted) throw tooLate(failed)
      }
    }
  }

  return {
    name: provider.name,
    model: provider.model,
    budgetMs,
    pictures: createPictureMemory(),
    async write(order, options = {}) {
      const budget = AbortSignal.timeout(budgetMs)
      const signal = options.signal ? AbortSignal.any([budget, options.signal]) : budget
      return semaphore
        .run(() => tryUntilWritten(order, signal), { signal })
        .catch((error: unknown) => {
          throw error instanceof CaptionFailed ? error : tooLate(error)
        })
    },
    async once<T>(key: string, work: () => Promise<T>): Promise<T> {
      const first = running.get(key)
      if (first) return first as Promise<T>
      const ours = work().finally(() => running.delete(key))
      running.set(key, ours)
      return ours
    },
  }
}

/** Converts the provider's answer to a caption, or throws. */
function captionOf(answer: string, order: CaptionOrder): string {
  if (answer.toUpperCase().includes(minorRefusal))
    throw new CaptionFailed('minor', 'The picture may show a minor')
  if (isRefusalText(answer))
    throw new CaptionFailed(refusalFault(answer), 'The answer is a refusal')
  const caption = shapeCaption(answer, lengths[order.purpose], order.voice.closing)
  if (caption === null) throw new CaptionFailed('failed', 'The answer has no text')
  if (repeatsInstructions(caption, composePrompt(order).system))
    throw new CaptionFailed('failed', 'The answer repeats its instructions')
  return caption
}

function tooLate(cause: unknown): CaptionFailed {
  return new CaptionFailed('timeout', 'The provider took too long', { cause })
}

function broken(cause: unknown): CaptionFailed {
  return new CaptionFailed('failed', 'The provider failed', { cause })
}

/** Remembers for an hour the hash of the picture at an address. */
type PictureMemory = {
  get(key: string): Buffer | null
  set(key: string, hash: Buffer): void
}

const keptMs = 60 * 60 * 1000
const max = 5000

function createPictureMemory(): PictureMemory {
  const known = new Map<string, { hash: Buffer; untilMs: number }>()
  return {
    get(key) {
      const entry = known.get(key)
      return entry && entry.untilMs > performance.now() ? entry.hash : null
    },
    set(key, hash) {
      known.delete(key)
      known.set(key, { hash, untilMs: performance.now() + keptMs })
      const [oldest] = known.keys()
      if (known.size > max && oldest !== undefined) known.delete(oldest)
    },
  }
}
