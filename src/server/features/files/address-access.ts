/**
 * Whether whoever holds a signed address may have its file now: an owner's address while the file is
 * neither hidden nor gone, another's while also the grant stands that it was given by.
 */
import type { Context } from '../../context.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import type { MediaAddress, OutsideAddress } from '../../http/media/media-url.ts'
import type { FolderMedia } from '../folders/folders.ts'
import { findFolderMedia } from '../folders/folders.ts'
import { isHiddenFile, mayFetch } from '../visibility/visibility.ts'
import { isGiven } from './grant-queries.ts'
import { isForgotten } from './queries.ts'

/** Nobody sees what is hidden by an address that they were given; owners may by their own. */
export async function isOpen(
  ctx: Context,
  { file, grant }: MediaAddress,
  findViewer: Parameters<typeof mayFetch>[2] = async () => null,
): Promise<boolean> {
  if (grant !== null) return file.bucket === 'user-media' && isGiven(ctx, grant, file.key)
  const [isAllowed, isGone] = await Promise.all([
    mayFetch(ctx, file, findViewer),
    isForgotten(ctx, file),
  ])
  return isAllowed && (!isGone || mayJudge(ctx, file, await findViewer()))
}

/** A file of a folder: by another's address only what others may see. Null where it is not there, or not given. */
export async function openFolderMedia(
  ctx: Context,
  { key, grant }: OutsideAddress,
): Promise<FolderMedia | null> {
  const isForOthers = grant !== null
  if (isForOthers && !(await isGiven(ctx, grant, key, 'folder'))) return null
  return findFolderMedia(ctx, key, { isForOthers })
}

/** Those who decide about a report see what its owner has put in the trash or forgotten meanwhile. */
async function mayJudge(
  ctx: Context,
  file: FileAddress,
  viewer: Awaited<ReturnType<Parameters<typeof mayFetch>[2]>>,
): Promise<boolean> {
  if (viewer === null || viewer.role === 'user') return false
  return !file.key.startsWith(`users/${viewer.id}/`) && isHiddenFile(ctx, file)
}
