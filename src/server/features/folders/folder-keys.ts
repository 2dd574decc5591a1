/** How files of folders are named in addresses: any name that a disk can hold, in letters that keys may have. */
import { isKey } from '../../platform/storage/storage.ts'

/** Below FOLDERS_DIR, as it is or as a small picture. */
export type NamedFile = { readonly form: 'whole' | 'small'; readonly path: string }

const partLength = 190
const keyParts = new RegExp(`.{1,${partLength}}`, 'g')

/** Null for a path that is too long for an address. */
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
  // One file has one name: another spelling of it is nobody's.
  return folderKeyOf(named) === key ? named : null
}

/** Where what is made of files lies in the storage. */
export const madeFolder = 'folders/'

/** Tells which file it was made of, so that it can go with it. */
export function madeKeyOf(key: string, fingerprint: string, extension: string): string {
  const made = `${madeFolder}${key}/${fingerprint}.${extension}`
  // A very long name leaves no room. What lies there is made anew after each sweep.
  return isKey(made) ? made : `${madeFolder}long/${fingerprint}-${key.split('/')[0]}.${extension}`
}

/** Null where it does not tell. */
export function readMadeKey(made: string): { path: string; fingerprint: string } | null {
  const [, key = '', fingerprint = ''] =
    /^folders\/((?:whole|small)\/[\w/-]+)\/([0-9a-f]{40})\.\w+$/.exec(made) ?? []
  const named = readFolderKey(key)
  return named && { path: named.path, fingerprint }
}
