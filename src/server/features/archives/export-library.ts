/** All sessions and the whole vault as one zip, in the form that a single session has too. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { signMediaUrl } from '../../http/media-url.ts'
import type { Call } from '../../http/route.ts'
import { isQuarantinedSession } from '../moderation/hidden.ts'
import { findSnapshot } from '../sessions/snapshots.ts'
import { ownFile } from '../vault/media-files.ts'
import { reconcileVault } from '../vault/reconciliation.ts'
import type { ArchiveEntry } from './archive.ts'
import { fetchDeadline, mediaEntry } from './export-media.ts'
import { manifestEntry, sessionEntries, zipAnswer } from './export-session.ts'
import { findSessionIds, vaultRows } from './library-queries.ts'
import type { Manifest } from './manifest.ts'

export async function exportLibrary(
  ctx: Context,
  { user }: Call<typeof api.archives.exportLibrary>,
) {
  // Files that somebody put into the folders by hand get their records.
  await reconcileVault(ctx, user.id)
  const day = ctx.now().toISOString().slice(0, 10)
  return zipAnswer(`lanternist-library-${day}.zip`, entriesOf(ctx, user.id))
}

async function* entriesOf(ctx: Context, userId: string): AsyncGenerator<ArchiveEntry> {
  const fetchUntil = fetchDeadline(ctx)
  const told: Pick<Manifest, 'sessions' | 'vault'> = { sessions: [], vault: [] }
  for (const id of await findSessionIds(ctx, userId)) {
    const snapshot = (await isQuarantinedSession(ctx, id)) ? null : await findSnapshot(ctx, id)
    if (!snapshot) continue
    const at = { place: told.sessions.length + 1, fetchUntil }
    yield* sessionEntries(ctx, snapshot, at, (entry) => void told.sessions.push(entry))
  }
  for await (const { id: _, key, ...row } of vaultRows(ctx, userId)) {
    const address = signMediaUrl({ secret: ctx.config.sessionSecret, ...ownFile(key) })
    const base = `vault/${told.vault.length + 1}`
    yield* mediaEntry(ctx, { userId, address, base, fetchUntil }, ({ file, missing }) => {
      told.vault.push({ ...row, file, missing })
    })
  }
  yield manifestEntry(told)
}
