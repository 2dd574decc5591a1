/** Remembers what was copied or made from what, so that a takedown finds every derivative. */
import type { Context } from '../../context.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { insertOrigins } from './queries.ts'
import type { FileCopy } from './unclaimed-files.ts'

/** In the transaction that names the made file. */
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

/** The same for many files at once, each copied from one other. */
export function recordCopies(ctx: Context, copies: readonly FileCopy[]): Promise<void> {
  return insertOrigins(
    ctx,
    copies.map(({ from, to }) => ({ made: to, origin: from })),
  )
}

/** A medium that we keep: the file itself, and the thumbnail that was made of it. */
type StoredMedia = {
  readonly file: FileAddress
  readonly thumbnail: FileAddress | null
  /** The file of ours that it was copied from. */
  readonly origin?: FileAddress | null
}

export function filesOf(media: readonly StoredMedia[]): FileAddress[] {
  return media.flatMap(({ file, thumbnail }) => (thumbnail ? [file, thumbnail] : [file]))
}

/** A thumbnail comes from its file, and that from the file of ours that it is made of, if any. */
export function originsOf(media: readonly StoredMedia[]): FileCopy[] {
  return media.flatMap(({ file, thumbnail, origin }) => [
    ...(thumbnail ? [{ from: file, to: thumbnail }] : []),
    ...(origin ? [{ from: origin, to: file }] : []),
  ])
}
