/**
 * Opens the media at an address: a stored file or a folder's file by its signed URL, a picture that a
 * feed serves, or a public address. Limits apply while it is read, whatever size was announced.
 */
import type { Context } from '../../context.ts'
import type { MediaAddress, OutsideAddress } from '../../http/media/media-url.ts'
import { addressOfMediaUrl, outsideOfMediaUrl } from '../../http/media/media-url.ts'
import { FetchRefused } from '../../platform/fetch/user-url.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import { isOpen, openFolderMedia } from './address-access.ts'

/** The reason why an address cannot be read. */
export type SourceFault = 'address' | 'host' | 'missing' | 'too-large' | 'too-slow' | 'unreachable'

export class SourceRefused extends Error {
  override name = 'SourceRefused'
  readonly fault: SourceFault

  constructor(fault: SourceFault, options?: ErrorOptions) {
    super(`The media cannot be read: ${fault}`, options)
    this.fault = fault
  }
}

export type MediaSource = {
  /** Fails with SourceRefused past the limit, or if the remote server breaks off. */
  readonly content: AsyncIterable<Uint8Array>
  /** The stored file, if it is one. Derived files record it as their origin. */
  readonly file: FileAddress | null
}

export async function openMediaSource(
  ctx: Context,
  address: string,
  { maxBytes }: { readonly maxBytes: number },
): Promise<MediaSource> {
  const path = pathOnThisSite(ctx, address)
  if (path === null) return { content: await fetchMedia(ctx, address, maxBytes), file: null }
  const own = addressOfMediaUrl(ctx.config.sessionSecrets, path)
  if (own) return { content: await readOwn(ctx, own, maxBytes), file: own.file }
  const folder = outsideOfMediaUrl(ctx.config.sessionSecrets, 'folder', path)
  if (folder) return { content: await readFolder(ctx, folder, maxBytes), file: null }
  for (const source of ctx.sources.offered) {
    const served = await source.openOwn?.(path, { maxBytes }).catch(refuse)
    if (served) return { content: translated(served), file: null }
  }
  throw new SourceRefused('missing')
}

/**
 * Returns the file and the grant of a signed address of this site. It does not check whether the
 * address is open.
 */
export function addressOnThisSite(ctx: Context, address: string): MediaAddress | null {
  const path = pathOnThisSite(ctx, address)
  return path === null ? null : addressOfMediaUrl(ctx.config.sessionSecrets, path)
}

/** Returns the stored file of a signed address. */
export function ownFileAt(ctx: Context, address: string): FileAddress | null {
  return addressOnThisSite(ctx, address)?.file ?? null
}

/** Returns null for another site. Own files are never requested over the network. */
export function pathOnThisSite(ctx: Context, address: string): string | null {
  const { origin } = new URL(ctx.config.baseUrl)
  // Parse it as a browser does: '/media/../api' is not a media path.
  const url = URL.parse(address, address.startsWith('/') ? origin : undefined)
  const isOurs = url !== null && url.origin === origin
  return isOurs ? `${url.pathname}${url.search}` : null
}

async function readOwn(ctx: Context, address: MediaAddress, maxBytes: number) {
  const { bucket, key } = address.file
  const [stored, isAllowed] = await Promise.all([
    ctx.storage.stat(bucket, key),
    isOpen(ctx, address),
  ])
  if (!stored || !isAllowed) throw new SourceRefused('missing')
  if (stored.size > maxBytes) throw new SourceRefused('too-large')
  try {
    return await ctx.storage.read(bucket, key)
  } catch (error) {
    if (error instanceof FileMissing) throw new SourceRefused('missing', { cause: error })
    throw error
  }
}

async function readFolder(ctx: Context, address: OutsideAddress, maxBytes: number) {
  const media = await openFolderMedia(ctx, address)
  const stored = await media?.storage.stat(media.bucket, media.key)
  if (!media || !stored) throw new SourceRefused('missing')
  if (stored.size > maxBytes) throw new SourceRefused('too-large')
  // Stop at the size seen by stat, even if the file grows.
  return media.storage.read(media.bucket, media.key, { start: 0, end: stored.size - 1 })
}

async function fetchMedia(ctx: Context, url: string, maxBytes: number) {
  const answer = await ctx.fetch(url, { maxBytes }).catch(refuse)
  if (answer.status !== 200) {
    await answer.discard()
    throw new SourceRefused('missing')
  }
  return translated(answer.body)
}

async function* translated(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    refuse(error)
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof FetchRefused)) throw error
  throw new SourceRefused(faultOf(error), { cause: error })
}

function faultOf({ reason }: FetchRefused): SourceFault {
  if (reason === 'too_large') return 'too-large'
  if (reason === 'timeout') return 'too-slow'
  if (reason === 'invalid_url' || reason === 'scheme') return 'address'
  return reason === 'host' ? 'host' : 'unreachable'
}
