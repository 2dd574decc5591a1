/** Restores a library in the background, item by item. It is safe to run again at any time. */
import type { Context } from '../../../context.ts'
import { LeaseLost } from '../../../leases/lease.ts'
import { FileMissing } from '../../../platform/storage/storage.ts'
import { findUser } from '../../accounts/accounts.ts'
import { removeFiles } from '../../files/files.ts'
import { ownFile } from '../../vault/vault.ts'
import { ArchiveRefused } from '../archive-fault.ts'
import { libraryRetentionMs, libraryLimits } from '../archive-limits.ts'
import type { Archive } from '../zip/archive-reader.ts'
import { openStored } from './import-session.ts'
import {
  countItem,
  deleteEnded,
  endImport,
  failAbandoned,
  findItems,
  insertItem,
  startImport,
} from './library-queries.ts'
import type { Skipped } from './restore-media.ts'
import { SkippedEntry } from './restore-media.ts'
import type { Owner } from './restore-session.ts'
import { importOrSkip, restoreSession } from './restore-session.ts'
import { restoreVaultFile } from './restore-vault-file.ts'

const rememberedMs = 90 * 24 * 3600 * 1000
// Opening an archive again takes a second or two; a library may take an hour.
const libraryTurnMs = 60_000

/** Restores items for a limited time. `isDone` is false when items remain; others get a turn first. */
export async function restoreLibrary(
  ctx: Context,
  importId: string,
  { turnMs = libraryTurnMs } = {},
): Promise<{ isDone: boolean }> {
  const running = await startImport(ctx, importId)
  if (!running) return { isDone: true }
  const file = ownFile(running.archiveKey)
  try {
    const archive = await openStored(ctx, file, libraryLimits)
    const until = new Date(ctx.now().getTime() + turnMs)
    const isDone = await restoreAll(ctx, importId, running.userId, archive, until)
    if (!isDone) return { isDone }
    await endImport(ctx, importId, null)
  } catch (error) {
    const isLost = error instanceof ArchiveRefused || error instanceof FileMissing
    if (error instanceof LeaseLost) return { isDone: true }
    if (!isLost) throw error
    await endImport(ctx, importId, 'The archive can no longer be read')
  }
  await removeFiles(ctx, [file])
  return { isDone: true }
}

/** Fails abandoned imports, and deletes records of old ones. */
export async function endSilent(ctx: Context): Promise<void> {
  const ago = (ms: number) => new Date(ctx.now().getTime() - ms)
  const keys = await failAbandoned(ctx, ago(libraryRetentionMs), 'The import was interrupted')
  await removeFiles(
    ctx,
    keys.map((key) => ownFile(key)),
  )
  await deleteEnded(ctx, ago(rememberedMs))
}

async function restoreAll(
  ctx: Context,
  importId: string,
  userId: string,
  archive: Archive,
  until: Date,
): Promise<boolean> {
  const { sessions, vault } = archive.manifest
  const known = await findItems(ctx, importId)
  const pieces = [
    ...vault.map((entry, index) => ({
      item: `vault/${index + 1}`,
      name: entry.originalName,
      restore: (ctx: Context, _: Owner, remember: Remember) =>
        restoreVaultFile(ctx, userId, archive, entry, (ctx) => remember(ctx, { vaultFiles: 1 })),
    })),
    ...sessions.map((entry, index) => ({
      item: `sessions/${index + 1}`,
      name: entry.title,
      restore: async (ctx: Context, owner: Owner, remember: Remember) => {
        await restoreSession(ctx, owner, archive, entry, (ctx, { skipped }) =>
          remember(ctx, { sessions: 1, skipped: skipped.map(ofSession(entry.title)) }),
        )
      },
    })),
  ]
  let restored = 0
  for (const { item, name, restore } of pieces) {
    if (known.has(item)) continue
    // Restore at least one item, even if opening the archive took long.
    if (restored > 0 && ctx.now() >= until) return false
    restored += 1
    if (ctx.stopping.aborted) throw new Error('The node stops; another goes on')
    const remember: Remember = async (ctx, made) => {
      if (!(await insertItem(ctx, importId, item))) throw new LeaseLost()
      await countItem(ctx, importId, { sessions: 0, vaultFiles: 0, skipped: [], ...made })
    }
    // Read the owner each time: an import takes long, and the permissions of the owner may change.
    const owner = await findUser(ctx, userId)
    if (!owner) throw new LeaseLost()
    const [, skipped] = await importOrSkip(name, () =>
      restore(ctx, owner, remember).catch(leaveOutBroken),
    )
    if (skipped) await remember(ctx, { skipped: [skipped] })
  }
  return true
}

type Remember = (
  ctx: Context,
  made: { sessions?: number; vaultFiles?: number; skipped?: readonly Skipped[] },
) => Promise<void>

/** Skips a broken file, so that it does not fail the whole library. */
function leaveOutBroken(error: unknown): never {
  if (!(error instanceof ArchiveRefused)) throw error
  throw new SkippedEntry('unreadable', error.message, { cause: error })
}

/** Adds the session's title to the source of a skipped entry. */
function ofSession(title: string) {
  return ({ source, ...skipped }: Skipped): Skipped => ({
    ...skipped,
    source: `${title}: ${source}`,
  })
}
