/**
 * Sends a zip as the response. A zip stays open as long as the client reads, so each account may have
 * only a few at once.
 */
import { archiveProblems } from '../../../../contract/archives.ts'
import type { Context } from '../../../context.ts'
import { attachmentDisposition } from '../../../http/media/media-files.ts'
import { Problem } from '../../../http/problem.ts'
import { FileStream } from '../../../http/reply.ts'
import { acquireSlot } from '../../../leases/account-slots.ts'
import type { ArchiveEntry } from './archive.ts'
import { archiveOf } from './archive.ts'

// Shared by exports of sessions, libraries and accounts: enough for a library and a session at once.
const ownExports = { kind: 'export', atMost: 2 }
const retryAfterSeconds = 60

/** Calls `prepare` only after a slot was acquired. */
export async function zipAnswer(
  ctx: Context,
  userId: string,
  prepare: () => Promise<{ fileName: string; entries: AsyncIterable<ArchiveEntry> }>,
  slots: { readonly kind: string; readonly atMost: number } = ownExports,
): Promise<FileStream> {
  const slot = await acquireSlot(ctx, { userId, ...slots })
  if (!slot) throw exportRunning()
  try {
    const { fileName, entries } = await prepare()
    const content = archiveOf(entries)
    content.once('close', () => void slot.release())
    return new FileStream(content, {
      'content-type': 'application/zip',
      'content-disposition': attachmentDisposition(fileName),
    })
  } catch (error) {
    await slot.release()
    throw error
  }
}

function exportRunning(): Problem {
  return new Problem(
    archiveProblems.exportRunning,
    { retryAfter: retryAfterSeconds },
    { 'retry-after': String(retryAfterSeconds) },
  )
}
