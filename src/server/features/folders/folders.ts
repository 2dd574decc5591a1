/** The functions and types of the machine's folders that other features may use. */
import type { Config } from '../../config/config.ts'
import type { SignedInUser } from '../../http/caller.ts'

export { createFolderIndex, byTime } from './folder-index.ts'
export type { FolderFile } from './folder-index.ts'
export { folderKeyOf } from './folder-keys.ts'
export type { FolderMedia } from './folder-media.ts'
export { findFolderMedia } from './folder-media.ts'
export { listFolderNames } from './folder-names.ts'
export { isPlainName } from './folder-path.ts'
export { findRole } from './queries.ts'

/** Checks FOLDERS_FOR: administrators only, or everyone with an account. */
export function mayUseFolders(
  { folders }: Pick<Config, 'folders'>,
  role: SignedInUser['role'] | null,
): boolean {
  if (folders === null || role === null) return false
  return folders.openTo === 'user' || role !== 'user'
}
