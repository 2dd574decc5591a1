/**
 * Parses answers of other sites in a separate process with limits on memory and time, so that a malicious
 * answer does not block this process. The process is reused for a while, because starting one takes
 * longer than most answers.
 */
import type { ChildProcess } from 'node:child_process'
import { forkBounded, watchProcess } from '../../../platform/bounded-process.ts'
import { Semaphore } from '../../../platform/concurrency/semaphore.ts'
import { FeedUnavailable } from '../feed-source.ts'
import type { HostAnswer } from '../hosts/host-asker.ts'
import type { AnswerKind, Read } from './answer-readers.ts'
import type { ReadingReply, ReadingTask } from './reading-process.ts'

const megabyte = 1024 * 1024
const heapMegabytes = 256
const bounds = { memoryBytes: 420 * megabyte, workMs: 5000 }
/** The limit when CPU time cannot be measured, or the process uses none. */
const timeoutMs = 120_000
const idleMs = 10_000

/** One answer at a time, taking turns among accounts. */
const turns = new Semaphore({ atOnce: 1, maxWaiting: 500 })
let kept: { readonly child: ChildProcess; readonly idleTimer: NodeJS.Timeout } | null = null

/** Reads posts that a person has sent. Rejects with `FeedUnavailable`, as `readAnswer` does. */
export async function readSentListing(listing: unknown, allow: readonly string[]) {
  const bytes = Buffer.from(writeJson(listing))
  return readAnswer('listing', { bytes, url: '', headers: {} }, allow)
}

/** Serialises a value. Very deep lists can be parsed, but not serialised. */
function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    throw new FeedUnavailable('unreadable', 'a listing has too many levels', { cause: error })
  }
}

/**
 * Parses an answer; `allow` is FETCH_ALLOW. Rejects with `FeedUnavailable` when it cannot be parsed
 * within the limits.
 */
export async function readAnswer<Kind extends AnswerKind>(
  kind: Kind,
  { bytes, url, headers }: Pick<HostAnswer, 'bytes' | 'url' | 'headers'>,
  allow: readonly string[] = [],
): Promise<Read<Kind>> {
  const release = await turns.acquire().catch((error: unknown) => {
    throw new FeedUnavailable('unreachable', 'too many answers are waiting', { cause: error })
  })
  const child = takeKept() ?? startProcess()
  try {
    const answer = { bytes, url, contentType: headers['content-type'], allow }
    const found = await ask(child, { kind, answer })
    keep(child)
    // The child process is ours and returns the type of its reader.
    return found as Read<Kind>
  } catch (error) {
    if (isReusableAfter(error)) keep(child)
    else child.kill('SIGKILL')
    throw error
  } finally {
    release()
  }
}

/** True when the process itself refused the answer, so it still works. */
function isReusableAfter(error: unknown): boolean {
  return error instanceof FeedUnavailable && error.cause === undefined
}

function startProcess(): ChildProcess {
  const child = forkBounded(new URL('./reading-process.ts', import.meta.url), {
    heapMegabytes,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // An idle process may end; this is not a failure.
  child.on('error', () => {})
  child.on('exit', () => {
    if (kept?.child === child) takeKept()
  })
  // It must not keep this process alive.
  child.unref()
  child.channel?.unref()
  return child
}

function keep(child: ChildProcess): void {
  const idleTimer = setTimeout(() => {
    takeKept()
    child.kill('SIGKILL')
  }, idleMs).unref()
  kept = { child, idleTimer }
}

function takeKept(): ChildProcess | null {
  const child = kept?.child ?? null
  clearTimeout(kept?.idleTimer)
  kept = null
  return child?.connected ? child : null
}

function ask(child: ChildProcess, task: ReadingTask): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const giveUp = (why: string) =>
    reject(
      new FeedUnavailable('unreadable', `stopped reading an answer: ${why}`, {
        cause: why,
        words: 'answered with more data than can be read',
      }),
    )
  const onMessage = (message: unknown) => {
    // The message is from our own program.
    const reply = message as ReadingReply
    if ('found' in reply) return resolve(reply.found)
    const { reason, message: said, words } = reply.unavailable
    reject(new FeedUnavailable(reason, said, { words }))
  }
  const end = () => giveUp('its process ended')
  const timer = setTimeout(() => giveUp('it took too long'), timeoutMs)
  const endWatch = watchProcess(child.pid, () => bounds, giveUp)
  child.on('message', onMessage).on('exit', end).on('error', end)
  child.send(task, (error) => error && end())
  return promise.finally(() => {
    clearTimeout(timer)
    endWatch()
    child.off('message', onMessage).off('exit', end).off('error', end)
  })
}
