/**
 * Files that a device keeps: complete, within limits, and returned in ranges for a video. Files of
 * other sites are kept as opaque responses, as for pictures on a page, and their size is unknown.
 */
import { absolute, answerAddress, isKeptName, type KeepOutcome } from './kept-names.ts'

/** The assumed size of an opaque response. Browsers count it as many times its real size. */
const unseenBytes = 2 * 1_048_576

/** The unit of ranges in HTTP. */
const unit = 'bytes'

export type Keeping = {
  readonly cacheName: string
  readonly address: string
  readonly maxBytes: number
}

/** A file that is being kept. A newer playlist may drop it before it has arrived. */
type Download = Keeping & { isDropped: boolean }

const downloads = new Set<Download>()

/** Fetches and keeps a file, unless it is already kept. */
export async function keepFile(keeping: Keeping): Promise<KeepOutcome> {
  const download = { ...keeping, isDropped: false }
  downloads.add(download)
  try {
    return await keepDownload(download)
  } finally {
    downloads.delete(download)
  }
}

async function keepDownload(download: Download): Promise<KeepOutcome> {
  const { cacheName, address, maxBytes } = download
  // The page creates the cache before it asks. If the cache was deleted since, it must stay deleted.
  if (!(await caches.has(cacheName))) return { outcome: 'away' }
  const cache = await caches.open(cacheName)
  const known = await cache.match(address)
  if (known) return { outcome: 'kept', bytes: await sizeOf(known) }
  const isOwn = new URL(address, location.origin).origin === location.origin
  let response: Response
  try {
    response = await fetch(address, isOwn ? {} : { mode: 'no-cors', credentials: 'omit' })
  } catch {
    // Another site that is unreachable may be gone for good. This site is not.
    return { outcome: isOwn ? 'away' : 'missing' }
  }
  if (response.status >= 500 || response.status === 429) return { outcome: 'away' }
  if (!response.ok && response.type !== 'opaque') return { outcome: 'missing' }
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) return { outcome: 'large' }
  try {
    await cache.put(address, response)
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError'
    return { outcome: isFull ? 'full' : 'away' }
  }
  // The playlist has changed during the request.
  if (download.isDropped) {
    await cache.delete(address)
    return { outcome: 'missing' }
  }
  const kept = await cache.match(address)
  return kept ? { outcome: 'kept', bytes: await sizeOf(kept) } : { outcome: 'full' }
}

async function sizeOf(response: Response): Promise<number> {
  if (response.type === 'opaque') return unseenBytes
  const declared = Number(response.headers.get('content-length') ?? 0)
  return declared > 0 ? declared : (await response.blob()).size
}

/** Returns the kept file, or the requested range of it. */
export async function givePart(kept: Response, range: string | null): Promise<Response> {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (kept.type === 'opaque' || (first === '' && last === '')) return kept
  const content = await kept.blob()
  const { size } = content
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start >= size || start > end)
    return new Response(null, { status: 416, headers: { 'content-range': `${unit} */${size}` } })
  return new Response(content.slice(start, end + 1), {
    status: 206,
    headers: {
      'content-type': kept.headers.get('content-type') ?? content.type,
      'content-range': `${unit} ${start}-${end}/${size}`,
      'content-length': String(end - start + 1),
      'accept-ranges': unit,
    },
  })
}

/** False after a lookup has found no kept sessions. Files are then requested as usual. */
let mayHaveKept = true

export function expectKept(): void {
  mayHaveKept = true
}

/** Returns null if nothing is kept, so that the worker does not delay pictures. */
export function giveFile(request: Request): Promise<Response> | null {
  return mayHaveKept ? keptOrFetched(request) : null
}

/** Prefers kept files: a frame requests the same ones for years. */
async function keptOrFetched(request: Request): Promise<Response> {
  const names = (await caches.keys()).filter(isKeptName)
  mayHaveKept = names.length > 0
  const range = request.headers.get('range')
  const kept = await findFile(names, request.url)
  if (kept) return givePart(kept, range)
  try {
    return await fetch(request)
  } catch (error) {
    // The same picture in another size is better than none.
    const standIn = await findStandIn(names, request.url)
    if (!standIn) throw error
    return givePart(standIn, range)
  }
}

async function findFile(names: readonly string[], url: string): Promise<Response | null> {
  for (const cacheName of names) {
    const kept = await caches.match(url, { cacheName })
    if (kept) return kept
  }
  return null
}

async function findStandIn(names: readonly string[], url: string): Promise<Response | null> {
  for (const cacheName of names) {
    const answer = await caches.match(answerAddress(cacheName), { cacheName })
    const played = answer && ((await answer.json()) as Played)
    const sameSlide = played?.media.map(filesOf).find((files) => files.includes(url)) ?? []
    for (const file of sameSlide) {
      const kept = await caches.match(file, { cacheName })
      if (kept) return kept
    }
  }
  return null
}

type Played = {
  /** Null for a slide whose picture is in the trash. */
  media: { mediaUrl: string | null; sizes?: Readonly<Record<string, string>> | null }[]
}

/**
 * Returns the playlist without slides that are not on the device. A show would wait for them until
 * there is a network.
 */
export async function withoutMissing(cacheName: string, kept: Response): Promise<Response> {
  const cache = await caches.open(cacheName)
  const there = new Set((await cache.keys()).map(({ url }) => url))
  const played = (await kept.json()) as Played
  const media = played.media.filter((slide) => filesOf(slide).some((file) => there.has(file)))
  return Response.json({ ...played, media })
}

/** Deletes files that are no longer in the playlist, such as a slide that was taken down, to free space. */
export async function dropUnnamed(cacheName: string, fresh: Response): Promise<void> {
  const { media } = (await fresh.json()) as Played
  await dropFilesExcept(cacheName, media.flatMap(filesOf))
}

/** Deletes the stored files that are not wanted, and those that are still arriving. */
export async function dropFilesExcept(cacheName: string, files: readonly string[]): Promise<void> {
  const wanted = new Set(files.map(absolute))
  for (const download of downloads)
    if (download.cacheName === cacheName && !wanted.has(absolute(download.address)))
      download.isDropped = true
  const cache = await caches.open(cacheName)
  for (const { url } of await cache.keys())
    if (isFile(url) && !wanted.has(url)) await cache.delete(url)
}

function filesOf({ mediaUrl, sizes }: Played['media'][number]): string[] {
  return [mediaUrl, ...Object.values(sizes ?? {})].filter((file) => file !== null).map(absolute)
}

/** True for files. False for API responses and our own notes. */
function isFile(url: string): boolean {
  const { origin, pathname } = new URL(url)
  return origin !== location.origin || !pathname.startsWith('/api/')
}
