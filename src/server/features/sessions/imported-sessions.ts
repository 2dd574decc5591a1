/** The front door for sessions that come whole from elsewhere, with files of their own. */
import type { Context } from '../../context.ts'
import type { ImportedSession, ImportedSlide } from './imported-queries.ts'
import { insertImportedSession, insertImportedSlides } from './imported-queries.ts'
import { recountSlides } from './slide-queries.ts'

export type { ImportedSession, ImportedSlide } from './imported-queries.ts'
export { takeSessionId } from './imported-queries.ts'

/** Under an id that was taken before, because the files' names hold it. */
export async function insertImported(
  ctx: Context,
  session: ImportedSession,
  slides: readonly ImportedSlide[],
): Promise<void> {
  await insertImportedSession(ctx, session)
  await insertImportedSlides(ctx, session.id, slides)
  await recountSlides(ctx, session.id)
}
