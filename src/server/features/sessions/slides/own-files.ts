/**
 * Files that belong to one session alone, such as those of a saved session. They are deleted with their
 * slides.
 */
import type { Context } from '../../../context.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { abandonFiles } from '../../files/files.ts'
import { findOwnFileKeys } from './slide-queries.ts'

/**
 * Runs in the transaction that deletes the session, or all slides except `keptSlides`. Pass the
 * returned files to `removeFiles` after the commit.
 */
export async function abandonOwnFiles(
  ctx: Context,
  sessionId: number,
  options: { keptSlides: readonly number[] } | 'all',
): Promise<FileAddress[]> {
  const kept = options === 'all' ? null : options.keptSlides
  const keys = await findOwnFileKeys(ctx, sessionId, kept)
  return abandonFiles(
    ctx,
    keys.map((key): FileAddress => ({ bucket: 'user-media', key })),
  )
}
