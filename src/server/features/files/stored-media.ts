/** A medium that we keep: the file itself, and the thumbnail that was made of it. */
import type { FileAddress } from '../../platform/storage/storage.ts'
import type { FileCopy } from './unclaimed-files.ts'

export type StoredMedia = {
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
