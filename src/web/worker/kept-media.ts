/**
 * Files that a device keeps: whole, within bounds, and given out in parts where a film asks for them.
 * What another site gives is kept unseen, as a picture on a page is, and its size is not known.
 */

/** A longer film is played from the network alone. */
const largestFileBytes = 64 * 1_048_576
/** Browsers count what they may not look into as many times its size. */
const unseenBytes = 2 * 1_048_576

/** Of ranges, as HTTP names it. */
const unit = 'bytes'

export type Keeping = {
  readonly cache: Cache
  readonly addresses: readonly string[]
  readonly mostBytes: number
  readonly onProgress?: (progress: Progress) => void
}

export type Progress = { readonly done: number; readonly total: number; readonly bytes: number }

/** Fetches what is not there yet, one after the other, and removes what is not wanted any more. */
export async function keepFiles(keeping: Keeping): Promise<Progress> {
  const { cache, mostBytes, onProgress } = keeping
  const addresses = [...new Set(keeping.addresses.map(absolute))]
  const wanted = new Set(addresses)
  for (const { url } of await cache.keys())
    if (isFile(url) && !wanted.has(url)) await cache.delete(url)
  let bytes = 0
  let done = 0
  for (const address of addresses) {
    if (bytes >= mostBytes) break
    bytes += await keepFile(cache, address, mostBytes - bytes)
    done += 1
    onProgress?.({ done, total: addresses.length, bytes })
  }
  return { done, total: addresses.length, bytes }
}

/** How many bytes it takes; none where it could not be had. */
async function keepFile(cache: Cache, address: string, leftBytes: number): Promise<number> {
  const known = await cache.match(address)
  if (known) return sizeOf(known)
  try {
    const isOwn = new URL(address).origin === location.origin
    const response = await fetch(address, isOwn ? {} : { mode: 'no-cors', credentials: 'omit' })
    const isUseful = response.ok || response.type === 'opaque'
    const size = Number(response.headers.get('content-length') ?? 0)
    if (!isUseful || size > Math.min(largestFileBytes, leftBytes)) return 0
    await cache.put(address, response)
    const kept = await cache.match(address)
    return kept ? await sizeOf(kept) : 0
  } catch {
    // Out of reach, or the device is full: what is there already stays.
    return 0
  }
}

async function sizeOf(response: Response): Promise<number> {
  if (response.type === 'opaque') return unseenBytes
  const told = Number(response.headers.get('content-length') ?? 0)
  return told > 0 ? told : (await response.clone().blob()).size
}

/** The file that is kept under an address, or the part of it that is asked for. */
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

/** Everything but what was asked of the interface, and notes of our own. */
export function isFile(url: string): boolean {
  const { origin, pathname } = new URL(url)
  return origin !== location.origin || !pathname.startsWith('/api/')
}

function absolute(address: string): string {
  return new URL(address, location.origin).href
}
