/** A zip as an answer: each is made for as long as its taker likes, so an account has few at once. */
import { archiveProblems } from '../../../../contract/archives.ts'
import type { Context } from '../../../context.ts'
import { attachmentDisposition } from '../../../http/media/media-files.ts'
import { Problem } from '../../../http/problem.ts'
import { FileStream } from '../../../http/reply.ts'
import { acquireSlot } from '../../../leases/account-slots.ts'
import type { ArchiveEntry } from './archive.ts'
import { archiveOf } from './archive.ts'

// A whole library, and a session beside it: sessions, libraries and accounts together.
const ownExports = { kind: 'export', atMost: 2 }
const retryAfterSeconds = 60

/** `prepare` is not asked before there is a place for it. */
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
