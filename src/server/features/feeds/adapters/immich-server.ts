/**
 * The Immich server that the site has chosen: what it is asked with somebody's key, and what it
 * streams. The key goes there as a header and nowhere else, so nothing that fails here may quote it.
 */
import { z } from 'zod'
import { Semaphore } from '../../../platform/concurrency/semaphore.ts'
import type { Fetched, SafeFetch } from '../../../platform/fetch/safe-fetch.ts'
import { FetchRefused } from '../../../platform/fetch/user-url.ts'
import { FeedUnavailable } from '../feed-source.ts'
import type { HostAnswer, HostAsker } from '../hosts/host-asker.ts'
import { jsonOf } from '../hosts/host-asker.ts'
import { plainText } from '../normalise-media.ts'
import { readImmichAlbums, readImmichSearch } from './immich-assets.ts'

export const assetForms = ['preview', 'thumbnail', 'playback'] as const
export type AssetForm = (typeof assetForms)[number]

export type ImmichServer = {
  readonly origin: string
  /** What the JSON says. Rejects with `FeedUnavailable`. */
  ask(apiKey: string, path: string, json?: object): Promise<unknown>
  /** Tries all that a session needs; how the account is called. Rejects with `FeedUnavailable`. */
  check(apiKey: string): Promise<string>
  /** One asset as it is shown. Rejects with `FetchRefused`. */
  open(apiKey: string, asset: { id: string; form: AssetForm }, options: Opening): Promise<Fetched>
}

type Opening = {
  readonly headers?: Record<string, string>
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

const mostPictureBytes = 64 * 1024 * 1024
const mostFilmBytes = 4 * 1024 * 1024 * 1024
const pictureMs = 30_000
/** A player that waits holds it; one that is cut off asks for the rest. */
const filmMs = 15 * 60_000
const streamsAtOnce = 12
const mostWaiting = 200
const mostWaitMs = 15_000

export function createImmichServer(
  origin: string,
  { asker, safeFetch }: { readonly asker: HostAsker; readonly safeFetch: SafeFetch },
): ImmichServer {
  // Films are held while they play, and pictures do not wait for them.
  const [pictures, films] = [newTurns(), newTurns()]

  const ask: ImmichServer['ask'] = async (apiKey, path, json) => {
    const question = { url: `${origin}/api/${path}`, chosenOrigin: origin, apiKey }
    const answer = await asker.ask({ ...question, ...(json && { json }) })
    refuseAnswer(answer, apiKey)
    return jsonOf(answer)
  }

  const open: ImmichServer['open'] = async (apiKey, { id, form }, options) => {
    const isFilm = form === 'playback'
    const path = isFilm ? 'video/playback' : `thumbnail?size=${form}`
    const maxBytes = Math.min(
      options.maxBytes ?? Infinity,
      isFilm ? mostFilmBytes : mostPictureBytes,
    )
    const release = await (isFilm ? films : pictures)
      .acquire({ signal: AbortSignal.timeout(mostWaitMs) })
      .catch((error: unknown) => {
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
      const found = readImmichAlbums(await ask(apiKey, 'albums'))
      if (!found) throw new FeedUnavailable('unreadable', 'Immich gives no albums')
      const [first] = found
      const which = { visibility: 'timeline', size: 1, ...(first && { albumIds: [first.id] }) }
      const assets = readImmichSearch(await ask(apiKey, 'search/metadata', which))?.assets
      if (!assets) throw new FeedUnavailable('unreadable', 'Immich gives no assets')
      const [one] = assets
      if (one) await tryThumbnail(open, apiKey, one.id)
      return accountName(ask, apiKey, origin)
    },
  }
}

async function tryThumbnail(open: ImmichServer['open'], apiKey: string, id: string) {
  const fetched = await open(apiKey, { id, form: 'thumbnail' }, {}).catch((error: unknown) => {
    throw new FeedUnavailable('unreachable', 'Immich gives no thumbnail', { cause: error })
  })
  if (fetched.status === 200) return fetched.discard()
  const { status, headers, url } = fetched
  const bytes = await fetched.bytes().catch(() => Buffer.from(''))
  refuseAnswer({ status, headers, url, bytes }, apiKey)
}

const account = z.object({ name: z.string().catch(''), email: z.string().catch('') })

/** Keys that may not tell who they are of serve all the same. */
async function accountName(
  ask: ImmichServer['ask'],
  apiKey: string,
  origin: string,
): Promise<string> {
  const answer = await ask(apiKey, 'users/me').catch((error: unknown) => {
    if (error instanceof FeedUnavailable) return null
    throw error
  })
  const { name = '', email = '' } = account.safeParse(answer).data ?? {}
  const told = withoutKey(plainText(name, 200) || plainText(email, 200), apiKey)
  return told || new URL(origin).host.slice(0, 200)
}

const complaint = z.object({ message: z.string() })

/** What the server says of a refusal names the permission that is missing. */
function refuseAnswer({ status, bytes }: HostAnswer, apiKey: string): void {
  if (status >= 200 && status < 300) return
  const said = complaint.safeParse(parsed(bytes)).data?.message ?? ''
  const [permission] = /\b[a-z]+(?:\.[a-zA-Z]+)+\b/.exec(said) ?? []
  const words = withoutKey(
    {
      401: 'does not accept the key',
      403: permission ? `the key lacks the permission ${permission}` : 'the key may not do this',
      // It tells what is not there from what may not be seen in no other way.
      400: permission ? `not found, or the key lacks ${permission}` : plainText(said, 200),
      404: 'not found',
    }[status] || `answered with status ${status}`,
    apiKey,
  )
  const isMissing = status === 400 || status === 404
  throw new FeedUnavailable(isMissing ? 'no_such_subfeed' : 'refused', `Immich answers ${status}`, {
    words,
  })
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}

/** A server may repeat what it was sent. */
function withoutKey(text: string, apiKey: string): string {
  return text.replaceAll(apiKey, '…')
}

function newTurns(): Semaphore {
  return new Semaphore({ atOnce: streamsAtOnce, mostWaiting })
}

/** Gives its place back when it has been read, has failed, or is left, even before its first byte. */
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
