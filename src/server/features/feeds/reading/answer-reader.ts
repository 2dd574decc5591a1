/**
 * Reads what other sites answer in a process of its own, with bounds on its memory and time: an answer
 * that is made to be hard to read must not keep this process from its requests. The process is kept
 * for a while, since a start takes longer than most answers.
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
/** Where nothing tells how long a process has worked, or it cannot. */
const timeoutMs = 120_000
const idleMs = 10_000

/** One at a time, by turns of the accounts that wait. */
const turns = new Semaphore({ atOnce: 1, mostWaiting: 500 })
let kept: { readonly child: ChildProcess; readonly idleTimer: NodeJS.Timeout } | null = null

/** Reads posts that somebody sends. Rejects with `FeedUnavailable`, as `readAnswer` does. */
export async function readSentListing(listing: unknown, allow: readonly string[]) {
  const bytes = Buffer.from(writeJson(listing))
  return readAnswer('listing', { bytes, url: '', headers: {} }, allow)
}

/** Lists within lists can be parsed however deep they are, but not written. */
function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    throw new FeedUnavailable('unreadable', 'a listing is too deep', { cause: error })
  }
}

/** `allow` is FETCH_ALLOW. Rejects with `FeedUnavailable` where the answer cannot be read within the bounds. */
export async function readAnswer<Kind extends AnswerKind>(
  kind: Kind,
  { bytes, url, headers }: Pick<HostAnswer, 'bytes' | 'url' | 'headers'>,
  allow: readonly string[] = [],
): Promise<Read<Kind>> {
  const release = await turns.acquire().catch((error: unknown) => {
    throw new FeedUnavailable('unreachable', 'too many answers wait', { cause: error })
  })
  const child = takeKept() ?? startProcess()
  try {
    const answer = { bytes, url, contentType: headers['content-type'], allow }
    const found = await ask(child, { kind, answer })
    keep(child)
    // The child process is ours and returns the type of its reader.
    return found as Read<Kind>
  } catch (error) {
    if (isAsGoodAsNew(error)) keep(child)
    else child.kill('SIGKILL')
    throw error
  } finally {
    release()
  }
}

/** An answer that the process itself has refused, which therefore lives on. */
function isAsGoodAsNew(error: unknown): boolean {
  return error instanceof FeedUnavailable && error.cause === undefined
}

function startProcess(): ChildProcess {
  const child = forkBounded(new URL('./reading-process.ts', import.meta.url), {
    heapMegabytes,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // One that ends while nobody asks it anything is no failure.
  child.on('error', () => {})
  child.on('exit', () => {
    if (kept?.child === child) takeKept()
  })
  // It is no reason for this process to go on.
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
      new FeedUnavailable('unreadable', `an answer was given up: ${why}`, {
        cause: why,
        words: 'answered with more than can be read',
      }),
    )
  const hear = (message: unknown) => {
    // Sent by our own program.
    const reply = message as ReadingReply
    if ('found' in reply) return resolve(reply.found)
    const { reason, message: said, words } = reply.unavailable
    reject(new FeedUnavailable(reason, said, { words }))
  }
  const end = () => giveUp('its process ended')
  const timer = setTimeout(() => giveUp('it took too long'), timeoutMs)
  const endWatch = watchProcess(child.pid, () => bounds, giveUp)
  child.on('message', hear).on('exit', end).on('error', end)
  child.send(task, (error) => error && end())
  return promise.finally(() => {
    clearTimeout(timer)
    endWatch()
    child.off('message', hear).off('exit', end).off('error', end)
  })
}
