/**
 * Stores an uploaded archive while it is read. The file is in the storage, so that any node can read it,
 * and no row names it, so that the sweep deletes it after a crash.
 */
import type { Context } from '../../../context.ts'
import { FileTooLarge } from '../../../http/bodies/form.ts'
import { problem } from '../../../http/problem.ts'
import type { FormStream } from '../../../http/route.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { renewAnnouncement, removeFiles, storeUnclaimed } from '../../files/files.ts'
import { ownFile, userFolder } from '../../vault/vault.ts'
import { ArchiveRefused } from '../archive-fault.ts'
import type { ArchiveLimits } from '../archive-limits.ts'

/** Stores an archive until `removeFiles` or its expiry. */
export async function spool(
  ctx: Context,
  userId: string,
  content: AsyncIterable<Uint8Array>,
  { limits, keepMs }: { readonly limits: ArchiveLimits; readonly keepMs: number },
): Promise<FileAddress> {
  const file = ownFile(`${userFolder(userId)}imports/${ctx.newId()}.zip`)
  const removeAfter = new Date(ctx.now().getTime() + keepMs)
  try {
    const coming = renewAnnouncement(ctx, file, content, keepMs)
    await storeUnclaimed(ctx, file, bounded(coming, limits.archiveBytes), { removeAfter })
  } catch (error) {
    if (error instanceof FileTooLarge) throw new ArchiveRefused('too-large')
    throw error
  }
  return file
}

/** Stores an archive while `work` reads it, and then deletes it. */
export async function withSpooled<T>(
  ctx: Context,
  userId: string,
  content: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits,
  work: (file: FileAddress) => Promise<T>,
): Promise<T> {
  const file = await spool(ctx, userId, content, { limits, keepMs: 60 * 60 * 1000 })
  try {
    return await work(file)
  } finally {
    await removeFiles(ctx, [file])
  }
}

async function* bounded(
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let taken = 0
  for await (const chunk of content) {
    taken += chunk.byteLength
    if (taken > maxBytes) throw new ArchiveRefused('too-large')
    yield chunk
  }
}

const partName = 'file'

/** Passes the form's file to `work`. Later parts of the form are not read. */
export async function withFormFile<T>(
  form: FormStream,
  maxFileBytes: number,
  work: (content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  if (!form.isMultipart) throw problem.noFile()
  for await (const part of form.parts({ maxFileBytes })) {
    if (part.kind === 'field') continue
    // Awaited here, because leaving the loop closes the form.
    if (part.name === partName) return await work(part.content)
    for await (const _ of part.content);
  }
  throw problem.noFile()
}
