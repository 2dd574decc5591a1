/** Creates a session from an archive that was exported here or elsewhere (contract 4.2). */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { JsonText } from '../../../http/reply.ts'
import type { Call, FormStream } from '../../../http/route.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { importFromElsewhere } from '../../imports/imports.ts'
import { refuseOverQuota } from '../../quota/quota.ts'
import { readReadable } from '../../sessions/sessions.ts'
import { readSettings } from '../../settings/settings.ts'
import { ArchiveRefused, explainRefusal } from '../archive-fault.ts'
import type { ArchiveLimits } from '../archive-limits.ts'
import { bytesPerMb, sessionLimits } from '../archive-limits.ts'
import type { SessionEntry } from '../manifest.ts'
import { archiveBytesOf } from '../zip/archive-bytes.ts'
import type { Archive } from '../zip/archive-reader.ts'
import { openArchive } from '../zip/archive-reader.ts'
import type { Owner } from './restore-session.ts'
import { restoreSession } from './restore-session.ts'
import { withFormFile, withSpooled } from './spool.ts'

/** Handles all imports of one session: a form contains an archive; other bodies name a remote source. */
export async function importSession(ctx: Context, call: Call<typeof api.imports.importSession>) {
  const id = call.form.isMultipart
    ? await importSessionForm(ctx, call)
    : await importFromElsewhere(ctx, call)
  return new JsonText(await readReadable(ctx, call, id))
}

/**
 * Returns the id of the session. Fails with the contract's `archiveRefused`; nothing is left behind then.
 */
async function importSessionForm(
  ctx: Context,
  { user, form }: { readonly user: Owner; readonly form: FormStream },
): Promise<number> {
  try {
    return await withFormFile(form, sessionLimits.archiveBytes, (content) =>
      withSpooled(ctx, user.id, content, sessionLimits, async (file) => {
        const archive = await openStored(ctx, file, sessionLimits)
        const [session, ...others] = archive.manifest.sessions
        if (!session || others.length > 0) throw new ArchiveRefused('not-one-session')
        await refuseOverQuota(ctx, user.id, bytesOf(session))
        const { sessionId } = await restoreSession(ctx, user, archive, session)
        return sessionId
      }),
    )
  } catch (error) {
    throw explainRefusal(error)
  }
}

/** Returns the storage that the session's files will need. */
export function bytesOf({ slides }: SessionEntry): number {
  return slides.reduce((sum, { file }) => sum + (file?.size ?? 0), 0)
}

/** Opens a stored archive. The upload limits apply too. */
export async function openStored(
  ctx: Context,
  file: FileAddress,
  limits: ArchiveLimits,
): Promise<Archive> {
  const { uploadLimitMb } = await readSettings(ctx)
  const bytes = await archiveBytesOf(ctx, file)
  // A manifest may be larger than the smallest configurable upload limit.
  const entryBytes = Math.max(uploadLimitMb * bytesPerMb, limits.manifestBytes)
  return openArchive(bytes, { ...limits, entryBytes })
}
