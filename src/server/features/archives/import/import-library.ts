/**
 * Imports a whole library. The archive is validated during the request and restored in the background.
 * Each session and each file is restored in a transaction that also records it, so a job that died
 * continues where it was and restores nothing twice.
 */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { problem } from '../../../http/problem.ts'
import { JsonText } from '../../../http/reply.ts'
import type { Admit, Call } from '../../../http/route.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { removeFiles } from '../../files/files.ts'
import { refuseOverQuota } from '../../quota/quota.ts'
import { explainRefusal } from '../archive-fault.ts'
import { libraryRetentionMs, libraryLimits } from '../archive-limits.ts'
import { restoreLibraryJob } from '../jobs.ts'
import { bytesOf, openStored } from './import-session.ts'
import { insertImport, isImportRunning, readImportJson } from './library-queries.ts'
import { spool, withFormFile } from './spool.ts'

type ImportCall = Call<typeof api.archives.importLibrary>

/** Refuses a second import before its gigabytes are uploaded. */
export const refuseSecondImport: Admit = async (ctx, { user }) => {
  if (await isImportRunning(ctx, user.id)) throw problem.importRunning()
}

export async function importLibrary(ctx: Context, call: ImportCall) {
  try {
    const { archiveBytes: maxFileBytes } = libraryLimits
    const file = await withFormFile(call.form, maxFileBytes, (content) =>
      spool(ctx, call.user.id, content, { limits: libraryLimits, keepMs: libraryRetentionMs }),
    )
    try {
      return { importId: await begin(ctx, call.user.id, file) }
    } catch (error) {
      await removeFiles(ctx, [file])
      throw error
    }
  } catch (error) {
    throw explainRefusal(error)
  }
}

export async function readLibraryImport(
  ctx: Context,
  { user, params }: Call<typeof api.archives.readLibraryImport>,
) {
  const json = await readImportJson(ctx, user.id, params.id)
  if (json === null) throw problem.importNotFound()
  return new JsonText(json)
}

async function begin(ctx: Context, userId: string, file: FileAddress): Promise<string> {
  const { manifest } = await openStored(ctx, file, libraryLimits)
  const bytes = [
    ...manifest.sessions.map(bytesOf),
    ...manifest.vault.map(({ file }) => file?.size ?? 0),
  ]
  await refuseOverQuota(
    ctx,
    userId,
    bytes.reduce((sum, size) => sum + size, 0),
  )
  const id = ctx.newId()
  const total = manifest.sessions.length + manifest.vault.length
  await atomically(ctx, async (ctx) => {
    if (!(await insertImport(ctx, { id, userId, archiveKey: file.key, total })))
      throw problem.importRunning()
    await enqueue(ctx, restoreLibraryJob, { importId: id })
  })
  return id
}
