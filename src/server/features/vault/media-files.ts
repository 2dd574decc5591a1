/** Where the vault's files lie, and what their names say of them (contract 1.4, 4.4). */
import type { uploadSources } from '../../../contract/vault.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { contentTypeOf, unknownContentType } from '../../platform/storage/storage.ts'

export type MediaType = 'image' | 'gif' | 'video'

export type UploadSource = (typeof uploadSources)[number]

/** Where a record says that its file came from. */
export type RecordSource = 'general' | 'upload' | 'smart-caption' | 'babecock' | 'hypnococks'

/** Where uploads go. Pictures of profiles and of sessions are no items of the vault. */
export const uploadFolders: Readonly<Record<UploadSource, string>> = {
  general: 'General',
  profile: 'Profile',
  thumbnail: 'Thumbnails',
  'smart-caption': 'Smart-caption',
  babecock: 'Babecock',
  hypnococks: 'Hypnococks',
}

/** The folders whose files are items of the vault: those of the tools, and those of uploads. */
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

/** A file of somebody's own, original or made from one. */
export function ownFile(key: string): FileAddress {
  return { bucket: 'user-media', key }
}

export function userFolder(userId: string): string {
  return `users/${userId}/`
}

/** Made by enrichment, and named by `thumbnail_widths`. */
export function thumbnailKey(media: { userId: string; id: number }, width: number): string {
  return `${derivedFolder(media)}${width}.webp`
}

/** What is made of a file lies outside the folders that are listed. */
export function derivedFolder(media: { userId: string; id: number }): string {
  return `${userFolder(media.userId)}derived/${media.id}/`
}

/** The file itself, what others see of it, and its thumbnails. */
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

/** By the MIME type, and by the name where nobody has looked at the file yet. */
export function mediaTypeOf(media: { mimeType: string; fileName: string }): MediaType {
  const mimeType =
    media.mimeType === unknownContentType ? contentTypeOf(media.fileName) : media.mimeType
  if (mimeType === 'image/gif') return 'gif'
  return mimeType.startsWith('video/') ? 'video' : 'image'
}
