/**
 * The upload queue of a page: three files at a time, each in one request. After a refusal, a server
 * failure or a lost network, the whole queue rests and continues by itself. A file is given up only if
 * it would fail again, and the user can retry it.
 */
import { isSignedOut } from '../api.ts'
import { retryDelay, type RetryDelay } from './retry-delay.ts'
import { explainTooLarge, explainUpload, type UploadFailure } from './explain-upload.ts'
import { words } from './words.ts'

/** A file to upload. It is opened only when its turn comes, so that a large folder needs no memory. */
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
  /** True when the same file may succeed later. */
  readonly canRetry: boolean
}

export type Rest = { readonly reason: RetryDelay['reason'] | 'offline'; readonly untilMs: number }

export type UploadsNow = {
  readonly uploads: readonly Upload[]
  readonly isPaused: boolean
  /** The reason why nothing is sent at the moment, if the queue continues by itself. */
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
  /** Returns a key by which the server recognises a file that it has already received. */
  readonly newIdempotencyKey: () => string
  readonly nowMs: () => number
  /** Calls `run` once, unless the returned function is called before. */
  readonly setTimer: (run: () => void, ms: number) => () => void
  readonly isOnline: () => boolean
  /** Returns the largest file size, or null if it is unknown. */
  readonly maxBytes: () => number | null
}

/** The purpose of the files: slides and other files of the vault, or a profile picture. */
export type Purpose = 'general' | 'profile'

type Batch<Stored> = {
  readonly purpose: Purpose
  readonly onStored: (stored: Stored, index: number) => void
  /** Is called when the file failed or was cancelled, so that nothing waits for it. */
  readonly onGivenUp: (index: number) => void
}

type Entry<Stored> = {
  upload: Upload
  readonly index: number
  readonly source: UploadSource
  /** The same in each try, so that a lost response does not create a second file. */
  readonly key: string
  readonly batch: Batch<Stored>
  tries: number
  sending: AbortController | null
}

const atATime = 3
/** A smaller step is invisible, and each step renders the page. */
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
      // The `online` event ends this rest. The timer is for browsers that do not send the event.
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
    const file = await open(entry.source)
    if (file instanceof File) await send(entry, file, sending)
    else giveUp(entry, file)
    if (entry.sending === sending) entry.sending = null
    pump()
  }

  /** Opens the file. Returns a failure for a file that cannot be uploaded. */
  async function open(source: UploadSource): Promise<File | UploadFailure> {
    const { sizeBytes } = source
    const maxBytes = outside.maxBytes() ?? Infinity
    // Compare the size first: opening a file in a zip unpacks all of it.
    if (sizeBytes > maxBytes) return explainTooLarge(sizeBytes, maxBytes)
    return await source.open().catch(() => ({ text: words.unreadable, canRetry: false }))
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
      // It was paused or cancelled, and that code has already set the state.
      if (!sending.signal.aborted) judge(entry, error)
      return
    }
    if (!entries.includes(entry)) return
    entry.sending = null
    set(entry, { state: 'stored', share: 1 })
    entry.batch.onStored(stored, entry.index)
  }

  function judge(entry: Entry<Stored>, error: unknown) {
    if (isSignedOut(error)) {
      const { text } = explainUpload(error, entry.source.sizeBytes)
      set(entry, { state: 'waiting', share: 0, failure: text })
      pause()
      return
    }
    // A lost network is no failure of the file.
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
    entry.batch.onGivenUp(entry.index)
  }

  /** Rests the queue. The longest of several rests counts, so that three refusals at once are one. */
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
    for (const { upload, batch, index } of removed)
      if (upload.state === 'waiting' || upload.state === 'sending') batch.onGivenUp(index)
    pump()
  }

  return {
    now: () => now,
    subscribe(notify: () => void) {
      listeners.add(notify)
      return () => void listeners.delete(notify)
    },
    /** Returns the number of the batch. Callbacks get the index in `sources`. */
    add(sources: readonly UploadSource[], batch: Batch<Stored>): number {
      lastId += 1
      const id = lastId
      const added = sources.map((source, index): Entry<Stored> => {
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
          index,
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
    /** Continues when the network is back, or when a user does not want to wait. */
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
    /** Removes uploads from the list and stops running ones. */
    remove,
  }
}
