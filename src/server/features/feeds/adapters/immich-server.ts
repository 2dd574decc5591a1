/**
 * Sends requests to the Immich server of this site with an account's key, and streams its media. The key
 * is only sent there, as a header, so no error here may quote it.
 */
import { z } from 'zod'
import { currentScope } from '../../../platform/concurrency/account-scope.ts'
import type { Fetched, SafeFetch } from '../../../platform/fetch/safe-fetch.ts'
import { FetchRefused } from '../../../platform/fetch/user-url.ts'
import { FeedUnavailable } from '../feed-source.ts'
import type { HostAnswer, HostAsker } from '../hosts/host-asker.ts'
import { plainText } from '../normalise-media.ts'
import { readAnswer } from '../reading/answer-reader.ts'
import type { AnswerKind, Read } from '../reading/answer-readers.ts'
import type { Streaming } from './stream-turns.ts'
import { createStreamTurns } from './stream-turns.ts'

export const assetForms = ['preview', 'thumbnail', 'playback'] as const
export type AssetForm = (typeof assetForms)[number]

export type ImmichServer = {
  readonly origin: string
  /** Parses an answer of this kind; returns null when it does not match. Rejects with `FeedUnavailable`. */
  ask<Kind extends ImmichAnswer>(
    apiKey: string,
    kind: Kind,
    question: { readonly path: string; readonly json?: object },
  ): Promise<Read<Kind>>
  /**
   * Tries every call that a session needs, and returns the account's name. Rejects with
   * `FeedUnavailable`.
   */
  check(apiKey: string): Promise<string>
  /** Opens one asset in the given form. Rejects with `FetchRefused`. */
  open(apiKey: string, asset: { id: string; form: AssetForm }, options: Opening): Promise<Fetched>
}

type ImmichAnswer = Extract<AnswerKind, `immich${string}`>

type Opening = {
  readonly headers?: Record<string, string>
  readonly maxBytes?: number
  readonly signal?: AbortSignal
  /** The default is the account in the current scope. */
  readonly streaming?: Streaming
}

const maxPictureBytes = 64 * 1024 * 1024
const maxFilmBytes = 4 * 1024 * 1024 * 1024
const pictureMs = 30_000
/** A paused player keeps the stream open; a player that was cut off requests the rest. */
const filmMs = 15 * 60_000
const maxWaitMs = 15_000
const maxErrorBytes = 64 * 1024

export function createImmichServer(
  origin: string,
  { asker, safeFetch }: { readonly asker: HostAsker; readonly safeFetch: SafeFetch },
): ImmichServer {
  // Separate limits, because a video keeps its turn while it plays and pictures should not wait for it.
  const [pictures, films] = [createStreamTurns(), createStreamTurns()]

  const ask: ImmichServer['ask'] = async (apiKey, kind, { path, json }) => {
    const question = { url: `${origin}/api/${path}`, chosenOrigin: origin, apiKey }
    const answer = await asker.ask({ ...question, ...(json && { json }) })
    refuseAnswer(answer, apiKey)
    return readAnswer(kind, answer)
  }

  const open: ImmichServer['open'] = async (apiKey, { id, form }, options) => {
    const isFilm = form === 'playback'
    const path = isFilm ? 'video/playback' : `thumbnail?size=${form}`
    const maxBytes = Math.min(options.maxBytes ?? Infinity, isFilm ? maxFilmBytes : maxPictureBytes)
    const takeTurn = isFilm ? films : pictures
    const { streaming = ofAccount() } = options
    const release = await takeTurn(streaming, waitOf(options)).catch((error: unknown) => {
      throw new FetchRefused('timeout', { cause: error })
    })
    try {
      const fetched = await safeFetch(`${origin}/api/assets/${id}/${path}`, {
        chosenOrigin: origin,
        headers: { ...options.headers, 'x-api-key': apiKey },
        timeoutMs: isFilm ? filmMs : pictureMs,
        maxBytes,
        ...(options.signal && { signal: options.signal }),
      })
      options.signal?.addEventListener('abort', release, { once: true })
      return releasing(fetched, release)
    } catch (error) {
      release()
      throw error
    }
  }

  return {
    origin,
    ask,
    open,
    async check(apiKey) {
      const albums = await ask(apiKey, 'immichAlbums', { path: 'albums' })
      if (!albums) throw new FeedUnavailable('unreadable', 'Immich returned no albums')
      const [first] = albums
      const which = { visibility: 'timeline', size: 1, ...(first && { albumIds: [first.id] }) }
      const search = { path: 'search/metadata', json: which }
      const found = await ask(apiKey, 'immichSearch', search)
      if (!found) throw new FeedUnavailable('unreadable', 'Immich returned no assets')
      const [one] = found.assets
      if (one) await tryThumbnail(open, apiKey, one.id)
      return accountName(ask, apiKey, origin)
    },
  }
}

async function tryThumbnail(open: ImmichServer['open'], apiKey: string, id: string) {
  const fetched = await open(apiKey, { id, form: 'thumbnail' }, {}).catch((error: unknown) => {
    throw new FeedUnavailable('unreachable', 'Immich returned no thumbnail', { cause: error })
  })
  if (fetched.status === 200) return fetched.discard()
  const { status, headers, url } = fetched
  const bytes = await fetched.bytes().catch(() => Buffer.from(''))
  refuseAnswer({ status, headers, url, bytes }, apiKey)
}

/** Returns the account's name, or the server's host name: a key without that permission works too. */
async function accountName(
  ask: ImmichServer['ask'],
  apiKey: string,
  origin: string,
): Promise<string> {
  const account = await ask(apiKey, 'immichAccount', { path: 'users/me' }).catch(
    (error: unknown) => {
      if (error instanceof FeedUnavailable) return null
      throw error
    },
  )
  const name = withoutKey(account?.name || account?.email || '', apiKey)
  return name || new URL(origin).host.slice(0, 200)
}

const complaint = z.object({ message: z.string() })

/** Throws an error that names the missing permission, which is in the server's message. */
function refuseAnswer({ status, bytes }: HostAnswer, apiKey: string): void {
  if (status >= 200 && status < 300) return
  const said = complaint.safeParse(parsed(bytes)).data?.message ?? ''
  const [permission] = /\b[a-z]+(?:\.[a-zA-Z]+)+\b/.exec(said) ?? []
  const words = withoutKey(
    {
      401: 'does not accept the key',
      403: permission ? `the key lacks the permission ${permission}` : 'the key may not do this',
      // With 400, the server does not distinguish a missing asset from a forbidden one.
      400: permission ? `not found, or the key lacks ${permission}` : plainText(said, 200),
      404: 'not found',
    }[status] || `answered with status ${status}`,
    apiKey,
  )
  const isMissing = status === 400 || status === 404
  throw new FeedUnavailable(
    isMissing ? 'no_such_subfeed' : 'refused',
    `Immich answered ${status}`,
    {
      words,
    },
  )
}

function parsed(bytes: Buffer): unknown {
  if (bytes.length > maxErrorBytes) return null
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}

/** Removes the key, because a server may repeat what it received. */
function withoutKey(text: string, apiKey: string): string {
  return text.replaceAll(apiKey, '…')
}

/** Returns a signal that fires after the longest wait, or when the caller's signal does. */
function waitOf({ signal }: Opening): AbortSignal {
  const late = AbortSignal.timeout(maxWaitMs)
  return signal ? AbortSignal.any([late, signal]) : late
}

function ofAccount(): Streaming {
  const { account } = currentScope()
  return { viewer: account, link: account }
}

/** Releases the turn after the body was read, failed or was discarded, even before its first byte. */
function releasing(fetched: Fetched, release: () => void): Fetched {
  const discard = async () => {
    release()
    await fetched.discard()
  }
  const read = fetched.body[Symbol.asyncIterator]()
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        try {
          const step = await read.next()
          if (step.done) release()
          return step
        } catch (error) {
          release()
          throw error
        }
      },
      async return() {
        await discard()
        return { done: true, value: undefined }
      },
    }),
  }
  const bytes = async () => {
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  return { ...fetched, body, bytes, discard }
}
