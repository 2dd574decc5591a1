/**
 * Adds media to an export, one file at a time. A missing file is listed with its reason and does not fail
 * the export.
 */
import { createHash } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { MediaKind } from '../../../media/media-kind.ts'
import { kindOfType } from '../../../media/media-kind.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { FileMissing, StorageUnreachable } from '../../../platform/storage/storage.ts'
import type { SourceFault } from '../../files/files.ts'
import {
  openMediaSource,
  ownFileAt,
  peek,
  removeFiles,
  SourceRefused,
  storeUnclaimed,
} from '../../files/files.ts'
import { ownFile, userFolder } from '../../vault/vault.ts'
import { isHiddenFile } from '../../visibility/visibility.ts'
import { bytesPerMb } from '../archive-limits.ts'
import type { MissingReason, StoredFile } from '../manifest.ts'
import type { ArchiveEntry } from '../zip/archive.ts'

export type ExportedMedia =
  | { readonly file: StoredFile; readonly kind: MediaKind; readonly missing: null }
  | { readonly file: null; readonly kind: null; readonly missing: MissingReason }

/** The same limit as for copying a session to the community. */
const fetchedMaxBytes = 100 * bytesPerMb
const temporaryMs = 60 * 60 * 1000
const fetchingMs = 5 * 60 * 1000

const reasons: Readonly<Record<SourceFault, MissingReason>> = {
  address: 'gone',
  host: 'unreachable',
  missing: 'gone',
  'too-large': 'too-large',
  'too-slow': 'unreachable',
  unreachable: 'unreachable',
}

/** A file to export, and the time until which it may be fetched from another site. */
export type Wanted = {
  readonly userId: string
  readonly address: string
  /** The name without an extension. The file's content decides the extension. */
  readonly base: string
  readonly fetchUntil: Date
}

/**
 * Returns the time after which nothing more is fetched, so that slow sites do not keep an export open
 * forever.
 */
export function fetchDeadline(ctx: Context): Date {
  return new Date(ctx.now().getTime() + fetchingMs)
}

/**
 * Yields the entry, if the file is available. Calls `report` with the result after the archive has read it.
 */
export async function* mediaEntry(
  ctx: Context,
  wanted: Wanted,
  report: (media: ExportedMedia) => void,
): AsyncGenerator<ArchiveEntry> {
  const missing = (reason: MissingReason) => report({ file: null, kind: null, missing: reason })
  const closers: (() => Promise<unknown>)[] = []
  try {
    const opened = await open(ctx, wanted)
    closers.push(opened.close)
    const { mimeType, content } = await peek(opened.content)
    // Release the file when the reader stops early.
    closers.push(async () => content[Symbol.asyncIterator]().return?.())
    const kind = kindOfType(mimeType)
    if (!kind) return missing('not-media')
    const name = `${wanted.base}.${kind.extension}`
    const watched = watch(ctx, content)
    yield { name, modifiedAt: null, compress: false, open: () => watched.content }
    const { isWhole, sha256, size } = watched.seen()
    if (isWhole) report({ file: { name, sha256, size }, kind, missing: null })
    else missing('unreachable')
  } catch (error) {
    missing(reasonOf(ctx, error))
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

type Opened = { readonly content: AsyncIterable<Uint8Array>; readonly close: () => Promise<void> }

async function open(ctx: Context, { userId, address, fetchUntil }: Wanted): Promise<Opened> {
  const file = ownFileAt(ctx, address)
  if (!file && ctx.now() > fetchUntil) throw new SourceRefused('unreachable')
  if (file && (await isHiddenFile(ctx, file))) throw new Withheld()
  // Own files have no limit, because their size is known. The size of a fetched file is unknown.
  const maxBytes = file ? Number.MAX_SAFE_INTEGER : fetchedMaxBytes
  const { content } = await openMediaSource(ctx, address, { maxBytes })
  return file ? { content, close: async () => {} } : setAside(ctx, userId, content)
}

/**
 * Stores a fetched file temporarily. A fetch must end within ten seconds, but the client may read the
 * archive more slowly.
 */
async function setAside(
  ctx: Context,
  userId: string,
  fetched: AsyncIterable<Uint8Array>,
): Promise<Opened> {
  const file: FileAddress = ownFile(`${userFolder(userId)}exports/${ctx.newId()}`)
  const removeAfter = new Date(ctx.now().getTime() + temporaryMs)
  await storeUnclaimed(ctx, file, fetched, { removeAfter })
  try {
    const content = await ctx.storage.read(file.bucket, file.key)
    return { content, close: () => removeFiles(ctx, [file]) }
  } catch (error) {
    await removeFiles(ctx, [file])
    throw error
  }
}

/**
 * Hashes and counts the content. If it fails halfway, the entry stays in the archive, because its header
 * was already sent, but the manifest does not name it.
 */
function watch(ctx: Context, content: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  let size = 0
  let isWhole = false
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of content) {
        hash.update(chunk)
        size += chunk.byteLength
        yield chunk
      }
      isWhole = true
    } catch (error) {
      ctx.log.warn({ event: 'export_file_cut', err: error }, 'a file in an export was cut short')
    }
  }
  return { content: watched(), seen: () => ({ isWhole, size, sha256: hash.digest('hex') }) }
}

class Withheld extends Error {}

function reasonOf(ctx: Context, error: unknown): MissingReason {
  if (error instanceof SourceRefused) return reasons[error.fault]
  if (error instanceof Withheld) return 'withheld'
  if (error instanceof FileMissing) return 'gone'
  if (!(error instanceof StorageUnreachable)) throw error
  ctx.log.warn({ event: 'export_file_skipped', err: error }, 'failed to export a file')
  return 'unreachable'
}
