/** Restores a file of an archive to the vault, checked like an upload. */
import { problems } from '../../../../contract/problems.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { Problem } from '../../../http/problem.ts'
import { requireDecodable } from '../../../media/decodable-file.ts'
import { removeFiles, storeUnclaimed } from '../../files/files.ts'
import { refuseBlockedFile } from '../../moderation/moderation.ts'
import { nameRestored, restoredFileAddress } from '../../vault/vault.ts'
import type { VaultEntry } from '../manifest.ts'
import type { Archive } from '../zip/archive-reader.ts'
import { explainUnfit, SkippedEntry, requireMedia, takenDown } from './restore-media.ts'
import { missingMedia } from './restore-session.ts'

/** Fails with SkippedEntry. `alongside` runs in the transaction that creates the record. */
export async function restoreVaultFile(
  ctx: Context,
  userId: string,
  archive: Archive,
  { file: stored, missing, ...known }: VaultEntry,
  alongside: (ctx: Context) => Promise<void>,
): Promise<void> {
  if (!stored) throw missingMedia(missing)
  const content = archive.open(stored)
  if (!content) throw new SkippedEntry('not_found', 'It is not in the archive')
  const { kind, whole } = await requireMedia(content, null)
  const { extension } = kind
  const file = restoredFileAddress(ctx, { userId, source: known.source, extension })
  try {
    await storeUnclaimed(ctx, file, whole)
    await requireDecodable(ctx, file)
    await refuseBlockedFile(ctx, file)
    await atomically(ctx, async (ctx) => {
      await nameRestored(ctx, { ...known, userId, file, fileSize: stored.size })
      await alongside(ctx)
    })
  } catch (error) {
    await removeFiles(ctx, [file])
    const isBlocked = error instanceof Problem && error.failure === problems.contentBlocked
    throw isBlocked ? takenDown() : explainUnfit(error)
  }
}
