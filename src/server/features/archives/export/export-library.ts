/** Exports all sessions and the whole vault as one zip, in the format that a single session has too. */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { mediaUrlOf } from '../../../http/media/media-url.ts'
import type { Call } from '../../../http/route.ts'
import { findSnapshot } from '../../sessions/sessions.ts'
import { ownFile, reconcileVault } from '../../vault/vault.ts'
import { isQuarantinedSession } from '../../visibility/visibility.ts'
import { findSessionIds, vaultRows } from '../import/library-queries.ts'
import type { VaultEntry } from '../manifest.ts'
import type { ArchiveEntry } from '../zip/archive.ts'
import { zipAnswer } from '../zip/zip-answer.ts'
import { fetchDeadline, mediaEntry } from './export-media.ts'
import { sessionEntries, withManifest } from './export-session.ts'
import type { ManifestDraft } from './manifest-draft.ts'
import { draftManifest } from './manifest-draft.ts'

export async function exportLibrary(
  ctx: Context,
  { user }: Call<typeof api.archives.exportLibrary>,
) {
  return zipAnswer(ctx, user.id, async () => {
    // Creates records for files that were put into the folders directly.
    await reconcileVault(ctx, user.id)
    const day = ctx.now().toISOString().slice(0, 10)
    const draft = draftManifest(ctx, user.id)
    const entries = withManifest(draft, mediaOf(ctx, user.id, draft))
    return { fileName: `lanternist-library-${day}.zip`, entries }
  })
}

async function* mediaOf(
  ctx: Context,
  userId: string,
  draft: ManifestDraft,
): AsyncGenerator<ArchiveEntry> {
  const fetchUntil = fetchDeadline(ctx)
  let number = 0
  for (const id of await findSessionIds(ctx, userId)) {
    const snapshot = (await isQuarantinedSession(ctx, id)) ? null : await findSnapshot(ctx, id)
    if (!snapshot) continue
    number += 1
    yield* sessionEntries(ctx, snapshot, { number, fetchUntil }, draft)
  }
  number = 0
  for await (const { cursor: _, key, ...row } of vaultRows(ctx, userId)) {
    const address = mediaUrlOf(ctx, ownFile(key))
    number += 1
    const result: Pick<VaultEntry, 'file' | 'missing'> = { file: null, missing: null }
    yield* mediaEntry(
      ctx,
      { userId, address, base: `vault/${number}`, fetchUntil },
      ({ file, missing }) => void Object.assign(result, { file, missing }),
    )
    await draft.addVaultFile({ ...row, ...result })
  }
}
