/** Detects the real type of a file from its first bytes instead of its name. */
import type { Context } from '../context.ts'
import type { FileAddress } from '../platform/storage/storage.ts'
import type { PictureFormat } from './picture.ts'
import { UnfitPicture } from './picture.ts'
import { readHead } from './stored-range.ts'

type Named = { readonly mimeType: string; readonly extension: string }
export type PictureKind = Named & { readonly is: 'picture'; readonly format: PictureFormat }
export type VideoKind = Named & { readonly is: 'video'; readonly extension: 'mp4' | 'mov' | 'webm' }
export type MediaKind = PictureKind | VideoKind

const jpeg = { is: 'picture', mimeType: 'image/jpeg', extension: 'jpg', format: 'jpeg' } as const
const png = { is: 'picture', mimeType: 'image/png', extension: 'png', format: 'png' } as const
const gif = { is: 'picture', mimeType: 'image/gif', extension: 'gif', format: 'gif' } as const
const webp = { is: 'picture', mimeType: 'image/webp', extension: 'webp', format: 'webp' } as const
const mp4 = { is: 'video', mimeType: 'video/mp4', extension: 'mp4' } as const
const mov = { ...mp4, mimeType: 'video/quicktime', extension: 'mov' } as const
const webm = { is: 'video', mimeType: 'video/webm', extension: 'webm' } as const

/** The kinds by MIME type. An animated PNG is a PNG, and a video for Apple devices is an MP4. */
const kinds: ReadonlyMap<string, MediaKind> = new Map<string, MediaKind>([
  ['image/jpeg', jpeg],
  ['image/png', png],
  ['image/apng', png],
  ['image/gif', gif],
  ['image/webp', webp],
  ['video/mp4', mp4],
  ['video/x-m4v', mp4],
  ['video/quicktime', mov],
  ['video/webm', webm],
])

// Enough for every known signature.
const headBytes = 4100

/** Throws UnfitPicture if the file is neither a known picture nor a known video. */
export async function mediaKindOf(ctx: Context, file: FileAddress): Promise<MediaKind> {
  const head = await readHead(ctx, file, headBytes)
  const found = kindOfType(await mimeTypeOf(head))
  if (!found) throw new UnfitPicture('format')
  return found
}

/** Returns the type of the first bytes, or undefined if it is not known. */
export async function mimeTypeOf(head: Buffer): Promise<string | undefined> {
  // Loaded when first used: an idle node has no files to check.
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(head))?.mime
}

/** Returns the kind for a type that was detected from the first bytes. */
export function kindOfType(mimeType: string | undefined): MediaKind | null {
  return kinds.get(mimeType ?? '') ?? null
}

/** Returns the type that slides and the vault use. */
export function typeOfKind(kind: MediaKind): 'image' | 'gif' | 'video' {
  if (kind.is === 'video') return 'video'
  return kind.format === 'gif' ? 'gif' : 'image'
}
