/**
 * Where an archive lies while it is read: in the storage, as a file that nothing names, so that any
 * node can read it and the sweep removes it whatever dies meanwhile.
 */
import type { Context } from '../../../context.ts'
import { FileTooLarge } from '../../../http/bodies/form.ts'
import { problem } from '../../../http/problem.ts'
import type { FormStream } from '../../../http/route.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { announcedAnew, removeFiles, storeUnclaimed } from '../../files/files.ts'
import { ownFile, userFolder } from '../../vault/vault.ts'
import { ArchiveRefused } from '../archive-fault.ts'
import type { ArchiveLimits } from '../archive-limits.ts'

/** Kept until `removeFiles`, or until its time has come. */
export async function spool(
  ctx: Context,
  userId: string,
  content: AsyncIterable<Uint8Array>,
  { limits, keepMs }: { readonly limits: ArchiveLimits; readonly keepMs: number },
): Promise<FileAddress> {
  const file = ownFile(`${userFolder(userId)}imports/${ctx.newId()}.zip`)
  const removeAfter = new Date(ctx.now().getTime() + keepMs)
  try {
    const coming = announcedAnew(ctx, file, content, keepMs)
    await storeUnclaimed(ctx, file, bounded(coming, limits.archiveBytes), { removeAfter })
  } catch (error) {
    if (error instanceof FileTooLarge) throw new ArchiveRefused('too-large')
    throw error
  }
  return file
}

/** The archive while `work` reads it, and not a moment longer. */
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
  mostBytes: number,
): AsyncGenerator<Uint8Array> {
  let taken = 0
  for await (const chunk of content) {
    taken += chunk.byteLength
    if (taken > mostBytes) throw new ArchiveRefused('too-large')
    yield chunk
  }
}

const partName = 'file'

/** What comes after the archive is not waited for. */
export async function withFormFile<T>(
  form: FormStream,
  maxFileBytes: number,
  work: (content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  if (!form.isMultipart) throw problem.noFile()
  for await (const part of form.parts({ maxFileBytes })) {
    if (part.kind === 'field') continue
    // Awaited here: the form is let go of as soon as the loop is left.
    if (part.name === partName) return await work(part.content)
    for await (const _ of part.content);
  }
  throw problem.noFile()
}
