/**
 * Whether whoever holds a signed address may have its file now: an owner's address while the file is
 * neither hidden nor gone, another's while also the grant stands that it was given by.
 */
import type { Context } from '../../context.ts'
import type { MediaAddress } from '../../http/media/media-url.ts'
import { mayFetch } from '../visibility/visibility.ts'
import { isGiven } from './grant-queries.ts'
import { isForgotten } from './unclaimed-files.ts'

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
  return isAllowed && !isGone
}
