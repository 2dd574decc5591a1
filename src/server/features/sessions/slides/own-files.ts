/** Files that belong to a session alone, as a saved one has: they go with what shows them. */
import type { Context } from '../../../context.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { abandonFiles } from '../../files/files.ts'
import { findOwnFileKeys } from './slide-queries.ts'

/**
 * In the transaction that deletes the session, or all its slides but those that are kept. What it
 * returns is for `removeFiles`, once that is committed.
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
