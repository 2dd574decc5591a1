/**
 * Decides whether a signed address opens its file now. An owner's address opens it while the file is
 * neither hidden nor deleted. A granted address also needs an access grant that is still valid.
 */
import type { Context } from '../../context.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import type { MediaAddress, OutsideAddress } from '../../http/media/media-url.ts'
import type { FolderMedia } from '../folders/folders.ts'
import { findFolderMedia } from '../folders/folders.ts'
import { isHiddenFile, mayFetch } from '../visibility/visibility.ts'
import { grantOpensFile } from './grant-queries.ts'
import { isForgotten } from './queries.ts'

/**
 * True when the address opens its file. A granted address never opens a hidden file. An owner's own
 * address may.
 */
export async function isOpen(
  ctx: Context,
  { file, grant }: MediaAddress,
  findViewer: Parameters<typeof mayFetch>[2] = async () => null,
): Promise<boolean> {
  if (grant !== null) return grantOpensFile(ctx, grant, file.key, file.bucket)
  const [isAllowed, isGone] = await Promise.all([
    mayFetch(ctx, file, findViewer),
    isForgotten(ctx, file),
  ])
  return isAllowed && (!isGone || mayJudge(ctx, file, await findViewer()))
}

/**
 * Returns a file of a folder, by a granted address only if others may see it. Returns null if the file
 * or the grant does not exist.
 */
export async function openFolderMedia(
  ctx: Context,
  { key, grant }: OutsideAddress,
): Promise<FolderMedia | null> {
  const isForOthers = grant !== null
  if (isForOthers && !(await grantOpensFile(ctx, grant, key, 'folder'))) return null
  return findFolderMedia(ctx, key, { isForOthers })
}

/** Moderators see a reported file even after its owner has deleted it or moved it to the trash. */
async function mayJudge(
  ctx: Context,
  file: FileAddress,
  viewer: Awaited<ReturnType<Parameters<typeof mayFetch>[2]>>,
): Promise<boolean> {
  if (viewer === null || viewer.role === 'user') return false
  return !file.key.startsWith(`users/${viewer.id}/`) && isHiddenFile(ctx, file)
}
