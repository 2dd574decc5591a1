/**
 * The one queue of all uploads of a page: three at a time, each file one request. A refusal, a server
 * in trouble or a lost network makes the whole queue rest and go on by itself; only what would fail
 * again is given up, and can be tried again by hand.
 */
import { isSignedOut } from '../api.ts'
import { retryDelay, type RetryDelay } from './retry-delay.ts'
import { explainTooLarge, explainUpload, type UploadFailure } from './explain-upload.ts'
import { words } from './words.ts'

/** What is to be sent. It is opened when its turn comes, so that a large folder takes no memory. */
export type UploadSource = {
  readonly name: string
  readonly sizeBytes: number
  readonly open: () => Promise<File>
}

export type Upload = {
  readonly id: number
  readonly batch: number
  readonly name: string
  readonly sizeBytes: number
  readonly state: 'waiting' | 'sending' | 'stored' | 'failed'
  /** From 0 to 1. */
  readonly share: number
  readonly failure: string | null
  /** Whether the same file could arrive another time. */
  readonly canRetry: boolean
}

export type Rest = { readonly reason: RetryDelay['reason'] | 'offline'; readonly untilMs: number }

export type UploadsNow = {
  readonly uploads: readonly Upload[]
  readonly isPaused: boolean
  /** Why nothing is sent at the moment, where that ends by itself. */
  readonly rest: Rest | null
}

export type SendOptions = {
  readonly purpose: Purpose
  readonly key: string
  readonly onShare: (share: number) => void
  readonly signal: AbortSignal
}

export function isRetryable({ state, canRetry }: Upload): boolean {
  return state === 'failed' && canRetry
}

export type Outside<Stored> = {
  readonly send: (file: File, how: SendOptions) => Promise<Stored>
  /** By which the far side knows a file that it was sent before. */
  readonly newIdempotencyKey: () => string
  readonly nowMs: () => number
  /** Calls back once, unless what it returns is called before. */
  readonly setTimer: (run: () => void, ms: number) => () => void
  readonly isOnline: () => boolean
  /** A larger file is refused; null where that is not known. */
  readonly mostBytes: () => number | null
}

/** What the files are for: slides of the vault, or the picture of a profile. */
export type Purpose = 'general' | 'profile'

type Batch<Stored> = {
  readonly purpose: Purpose
  readonly onStored: (stored: Stored, place: number) => void
  /** It failed for now, or was cancelled: nobody need wait for it. */
  readonly onGivenUp: (place: number) => void
}

type Entry<Stored> = {
  upload: Upload
  readonly place: number
  readonly source: UploadSource
  /** The same at each try: an answer that was lost makes no second file. */
  readonly key: string
  readonly batch: Batch<Stored>
  tries: number
  sending: AbortController | null
}

const atATime = 3
/** A finer step is not to be seen, and each one draws the page. */
const shareStep = 0.01

export function createUploadQueue<Stored>(outside: Outside<Stored>) {
  let entries: readonly Entry<Stored>[] = []
  let now: UploadsNow = { uploads: [], isPaused: false, rest: null }
  let endRest: (() => void) | null = null
  let lastId = 0
  const listeners = new Set<() => void>()

  function publish(change: Partial<UploadsNow> = {}) {
    now = { ...now, ...change, uploads: entries.map(({ upload }) => upload) }
    for (const notify of listeners) notify()
  }

  function set(entry: Entry<Stored>, change: Partial<Upload>) {
    entry.upload = { ...entry.upload, ...change }
    publish()
  }

  function pump() {
    if (now.isPaused || now.rest !== null) return
    if (!outside.isOnline()) {
      // Ended by `online`; the timer is for browsers that forget to say so.
      if (entries.some(({ upload }) => upload.state === 'waiting')) rest('offline', 60_000)
      return
    }
    const free = atATime - entries.filter(({ sending }) => sending !== null).length
    const next = entries.filter(({ upload }) => upload.state === 'waiting').slice(0, free)
    for (const entry of next) void run(entry)
  }

  async function run(entry: Entry<Stored>) {
    const sending = new AbortController()
    entry.sending = sending
    set(entry, { state: 'sending', share: 0, failure: null })
    const file = await entry.source.open().catch(() => null)
    const { sizeBytes } = entry.source
    const mostBytes = outside.mostBytes() ?? Infinity
    if (file === null) giveUp(entry, { text: words.unreadable, canRetry: false })
    else if (sizeBytes > mostBytes) giveUp(entry, explainTooLarge(sizeBytes, mostBytes))
    else await send(entry, file, sending)
    if (entry.sending === sending) entry.sending = null
    pump()
  }

  async function send(entry: Entry<Stored>, file: File, sending: AbortController) {
    let stored: Stored
    try {
      sending.signal.throwIfAborted()
      stored = await outside.send(file, {
        purpose: entry.batch.purpose,
        key: entry.key,
        signal: sending.signal,
        onShare: (share) => {
          if (share - entry.upload.share >= shareStep) set(entry, { share })
        },
      })
    } catch (error) {
      // Paused or cancelled, which has said what becomes of it.
      if (!sending.signal.aborted) judge(entry, error)
      return
    }
    if (!entries.includes(entry)) return
    entry.sending = null
    set(entry, { state: 'stored', share: 1 })
    entry.batch.onStored(stored, entry.place)
  }

  function judge(entry: Entry<Stored>, error: unknown) {
    if (isSignedOut(error)) {
      const { text } = explainUpload(error, entry.source.sizeBytes)
      set(entry, { state: 'waiting', share: 0, failure: text })
      pause()
      return
    }
    // Whether a network comes back is no failure of the file.
    if (!outside.isOnline()) {
      set(entry, { state: 'waiting', share: 0 })
      return
    }
    entry.tries += 1
    const delay = retryDelay(error, entry.tries)
    if (delay === null) {
      giveUp(entry, explainUpload(error, entry.source.sizeBytes))
      return
    }
    set(entry, { state: 'waiting', share: 0 })
    rest(delay.reason, delay.ms)
  }

  function giveUp(entry: Entry<Stored>, { text, canRetry }: UploadFailure) {
    if (!entries.includes(entry)) return
    entry.sending = null
    set(entry, { state: 'failed', share: 0, failure: text, canRetry })
    entry.batch.onGivenUp(entry.place)
  }

  /** The longest of several rests counts: three refusals at once are one. */
  function rest(reason: Rest['reason'], ms: number) {
    const untilMs = outside.nowMs() + ms
    if (now.rest !== null && now.rest.untilMs >= untilMs) return
    endRest?.()
    endRest = outside.setTimer(goOn, ms)
    publish({ rest: { reason, untilMs } })
  }

  function goOn() {
    endRest?.()
    endRest = null
    publish({ rest: null })
    pump()
  }

  function stop(entry: Entry<Stored>) {
    entry.sending?.abort()
    entry.sending = null
  }

  function pause() {
    publish({ isPaused: true })
    for (const entry of entries.filter(({ sending }) => sending !== null)) {
      stop(entry)
      set(entry, { state: 'waiting', share: 0 })
    }
  }

  function remove(gone: (upload: Upload) => boolean) {
    const removed = entries.filter(({ upload }) => gone(upload))
    entries = entries.filter(({ upload }) => !gone(upload))
    for (const entry of removed) stop(entry)
    publish()
    for (const { upload, batch, place } of removed)
      if (upload.state === 'waiting' || upload.state === 'sending') batch.onGivenUp(place)
    pump()
  }

  return {
    now: () => now,
    subscribe(notify: () => void) {
      listeners.add(notify)
      return () => void listeners.delete(notify)
    },
    /** The number of the batch. Places are those of `sources`. */
    add(sources: readonly UploadSource[], batch: Batch<Stored>): number {
      lastId += 1
      const id = lastId
      const added = sources.map((source, place): Entry<Stored> => {
        lastId += 1
        const { name, sizeBytes } = source
        const upload = {
          id: lastId,
          batch: id,
          name,
          sizeBytes,
          share: 0,
          failure: null,
          canRetry: true,
        }
        return {
          upload: { ...upload, state: 'waiting' },
          place,
          source,
          key: outside.newIdempotencyKey(),
          batch,
          tries: 0,
          sending: null,
        }
      })
      entries = [...entries, ...added]
      publish()
      pump()
      return id
    },
    pause,
    resume() {
      publish({ isPaused: false })
      pump()
    },
    /** The network is back, or somebody does not want to wait. */
    goOn,
    retry(which: (upload: Upload) => boolean) {
      for (const entry of entries)
        if (isRetryable(entry.upload) && which(entry.upload)) {
          entry.tries = 0
          entry.upload = { ...entry.upload, state: 'waiting', failure: null }
        }
      publish()
      pump()
    },
    /** Takes them off the list; what is being sent is stopped. */
    remove,
  }
}
