/**
 * Encodes paths of folder files as keys for URLs: any name that a disk can hold, in characters that keys
 * allow.
 */
import { isKey } from '../../platform/storage/storage.ts'

/** A file below FOLDERS_DIR, in full or as a small picture. */
export type NamedFile = { readonly form: 'whole' | 'small'; readonly path: string }

const partLength = 190
const keyParts = new RegExp(`.{1,${partLength}}`, 'g')

/** Returns null for a path that is too long for a URL. */
export function folderKeyOf({ form, path }: NamedFile): string | null {
  const parts = Buffer.from(path).toString('base64url').match(keyParts)
  const key = `${form}/${(parts ?? []).join('/')}`
  return isKey(key) ? key : null
}

export function readFolderKey(key: string): NamedFile | null {
  const [, form, parts] = /^(whole|small)\/([\w/-]+)$/.exec(key) ?? []
  if (parts === undefined) return null
  const path = Buffer.from(parts.replaceAll('/', ''), 'base64url').toString()
  const named: NamedFile = { form: form === 'small' ? 'small' : 'whole', path }
  // Accept only the canonical encoding, so that each file has exactly one key.
  return folderKeyOf(named) === key ? named : null
}

/** The storage folder of files derived from folder media. */
export const madeFolder = 'folders/'

/**
 * Returns a derived file's key. It contains the key of its source, so that a sweep can delete it with the
 * source.
 */
export function madeKeyOf(key: string, fingerprint: string, extension: string): string {
  const made = `${madeFolder}${key}/${fingerprint}.${extension}`
  // A very long name does not fit. Files here are deleted by each sweep and created again.
  return isKey(made) ? made : `${madeFolder}long/${fingerprint}-${key.split('/')[0]}.${extension}`
}

/** Returns the source of a derived file, or null if the key does not contain it. */
export function readMadeKey(made: string): { path: string; fingerprint: string } | null {
  const [, key = '', fingerprint = ''] =
    /^folders\/((?:whole|small)\/[\w/-]+)\/([0-9a-f]{40})\.\w+$/.exec(made) ?? []
  const named = readFolderKey(key)
  return named && { path: named.path, fingerprint }
}
