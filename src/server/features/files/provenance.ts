/** Records which files were copied or derived from which, so that a takedown finds every derivative. */
import type { Context } from '../../context.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { insertOrigins } from './queries.ts'
import type { FileCopy } from './unclaimed-files.ts'

/** Records the origins of a new file. Call it in the transaction that inserts the file's row. */
export function recordOrigins(
  ctx: Context,
  made: FileAddress,
  origins: readonly FileAddress[],
): Promise<void> {
  return insertOrigins(
    ctx,
    origins.map((origin) => ({ made, origin })),
  )
}

/** Does the same for many copies at once, each with one origin. */
export function recordCopies(ctx: Context, copies: readonly FileCopy[]): Promise<void> {
  return insertOrigins(
    ctx,
    copies.map(({ from, to }) => ({ made: to, origin: from })),
  )
}

/** Stored media: the file and its thumbnail. */
type StoredMedia = {
  readonly file: FileAddress
  readonly thumbnail: FileAddress | null
  /** The stored file that it was copied from. */
  readonly origin?: FileAddress | null
}

export function filesOf(media: readonly StoredMedia[]): FileAddress[] {
  return media.flatMap(({ file, thumbnail }) => (thumbnail ? [file, thumbnail] : [file]))
}

/** Returns the origins: of a thumbnail its file, and of the file the stored file that it was copied from. */
export function originsOf(media: readonly StoredMedia[]): FileCopy[] {
  return media.flatMap(({ file, thumbnail, origin }) => [
    ...(thumbnail ? [{ from: file, to: thumbnail }] : []),
    ...(origin ? [{ from: origin, to: file }] : []),
  ])
}
