/** The storage keys of vault files (contract 1.4, 4.4). */
import type { uploadSources } from '../../../contract/vault.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { contentTypeOf, unknownContentType } from '../../platform/storage/storage.ts'

export type MediaType = 'image' | 'gif' | 'video'

export type UploadSource = (typeof uploadSources)[number]

/** The origin of a file in its record. */
export type RecordSource = 'general' | 'upload' | 'smart-caption' | 'babecock' | 'hypnococks'

/** The folders of uploads. Pictures of profiles and of sessions are not items of the vault. */
export const uploadFolders: Readonly<Record<UploadSource, string>> = {
  general: 'General',
  profile: 'Profile',
  thumbnail: 'Thumbnails',
  'smart-caption': 'Smart-caption',
  babecock: 'Babecock',
  hypnococks: 'Hypnococks',
}

/** The folders whose files are items of the vault: those of the tools and those of uploads. */
export const vaultFolders: ReadonlyMap<string, RecordSource> = new Map([
  ['Captions', 'smart-caption'],
  ['Babecocks', 'babecock'],
  ['HypnoCocks', 'hypnococks'],
  ['Uploads', 'upload'],
  ['General', 'general'],
  ['Smart-caption', 'smart-caption'],
  ['Babecock', 'babecock'],
  ['Hypnococks', 'hypnococks'],
])

export const thumbnailWidths = [320, 640, 1280] as const

/** Returns the address of a user's own file, original or derived. */
export function ownFile(key: string): FileAddress {
  return { bucket: 'user-media', key }
}

export function userFolder(userId: string): string {
  return `users/${userId}/`
}

/** Returns the folder of a session's own files, which are no items of the vault. */
export function sessionFolder(userId: string, sessionId: number): string {
  return `${userFolder(userId)}manual-sessions/${sessionId}/`
}

/** Returns the key of a thumbnail that enrichment makes. `thumbnail_widths` lists the existing ones. */
export function thumbnailKey(media: { userId: string; id: number }, width: number): string {
  return `${derivedFolder(media)}${width}.webp`
}

/** Returns the folder of derived files, which the vault does not list. */
export function derivedFolder(media: { userId: string; id: number }): string {
  return `${userFolder(media.userId)}derived/${media.id}/`
}

/** Returns the addresses of the original, the display file and the thumbnails. */
export function ownFilesOf(media: {
  readonly id: number
  readonly userId: string
  readonly filePath: string
  readonly displayPath: string | null
  readonly thumbnailWidths: readonly number[]
}): FileAddress[] {
  const keys = [
    media.filePath,
    media.displayPath ?? [],
    media.thumbnailWidths.map((width) => thumbnailKey(media, width)),
  ].flat()
  return [...new Set(keys)].map(ownFile)
}

/** Decides by the MIME type, or by the file name if the file was not examined yet. */
export function mediaTypeOf(media: { mimeType: string; fileName: string }): MediaType {
  const mimeType =
    media.mimeType === unknownContentType ? contentTypeOf(media.fileName) : media.mimeType
  if (mimeType === 'image/gif') return 'gif'
  return mimeType.startsWith('video/') ? 'video' : 'image'
}
