/**
 * Adds stored files to an export. A file that cannot be read is listed as missing and does not fail the
 * export.
 */
import type { Context } from '../../context.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import type { ArchiveEntry } from '../archives/archives.ts'
import { ownFile, uploadFolders, userFolder } from '../vault/vault.ts'
import { isQuarantined } from '../visibility/visibility.ts'

export type Missing = {
  /** The name in the archive. */
  readonly name: string
  readonly path: string
  /** 'withheld': it was reported and is hidden from everyone until a moderator decides. */
  readonly reason: 'gone' | 'unreachable' | 'broken off' | 'withheld'
}

type Stored = { readonly name: string; readonly key: string; readonly modifiedAt: Date }

/** Yields the file's entry, if the file can be read. Every file of an export passes through here. */
export async function* fileEntry(
  ctx: Context,
  { name, key, modifiedAt }: Omit<Stored, 'key'> & { readonly key: string | null },
  missing: Missing[],
): AsyncGenerator<ArchiveEntry> {
  if (key === null) return
  const { bucket } = ownFile(key)
  const note = (reason: Missing['reason']) => void missing.push({ name, path: key, reason })
  if (await isQuarantined(ctx, { bucket, key })) return note('withheld')
  const stored = await ctx.storage.stat(bucket, key).catch((error: unknown) => {
    ctx.log.warn({ event: 'export_file_skipped', err: error }, 'failed to export a file')
    return 'unreachable' as const
  })
  if (stored === null || stored === 'unreachable') return note(stored ?? 'gone')
  yield { name, modifiedAt, compress: false, open: () => contentOf(ctx, key, note) }
}

/** Returns files that no row names: pictures of profiles and sessions, and results that were not kept. */
export async function* otherFiles(ctx: Context, userId: string): AsyncGenerator<Stored> {
  for (const folder of [uploadFolders.profile, uploadFolders.thumbnail, 'Temporary']) {
    const prefix = `${userFolder(userId)}${folder}/`
    const found: string[] = []
    try {
      for await (const { key } of ctx.storage.listFolder('user-media', prefix)) found.push(key)
    } catch (error) {
      ctx.log.warn(
        { event: 'export_folder_skipped', err: error, folder },
        'failed to export a folder',
      )
    }
    for (const key of found.toSorted())
      yield {
        name: `other-files/${folder}/${key.slice(prefix.length)}`,
        key,
        modifiedAt: ctx.now(),
      }
  }
}

async function* contentOf(
  ctx: Context,
  key: string,
  note: (reason: Missing['reason']) => void,
): AsyncGenerator<Uint8Array> {
  const { bucket } = ownFile(key)
  try {
    yield* await ctx.storage.read(bucket, key)
  } catch (error) {
    // The entry's header was already sent, so the part that could be read stays in the archive.
    ctx.log.warn({ event: 'export_file_cut', err: error }, 'a file in an export was cut short')
    note(error instanceof FileMissing ? 'gone' : 'broken off')
  }
}
