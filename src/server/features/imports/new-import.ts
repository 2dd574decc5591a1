/** Creates the session of an import. It can be played at once, while its media are copied. */
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { problem } from '../../http/problem.ts'
import { insertImported, prepareSession, takeSessionId } from '../sessions/sessions.ts'
import { lockVaultMedia } from '../vault/vault.ts'
import type { Gathered } from './gathering.ts'
import { promiseCopies } from './jobs.ts'

export type NewImport = Gathered & {
  readonly userId: string
  readonly title: string
  readonly importSource: 'imgchest' | 'urls' | 'listing'
  readonly importUrl: string | null
}

/** Returns the id of the session. */
export async function makeImport(ctx: Context, made: NewImport): Promise<number> {
  const { userId, title, importSource, importUrl, slides, skipped } = made
  if (slides.length === 0)
    throw problem.nothingToImport({
      message: 'None of this can be imported',
      skipped: [...skipped],
    })
  return atomically(ctx, async (ctx) => {
    const id = await takeSessionId(ctx)
    const settings = await prepareSession(ctx, userId, { ...usual, title })
    const session = { ...settings, id, importSource, importUrl, ownThumbnailKey: null }
    const shown = slides.flatMap(({ vaultMediaId }) => vaultMediaId ?? [])
    await lockVaultMedia(ctx, userId, shown)
    await insertImported(ctx, session, slides, skipped)
    await promiseCopies(ctx, { id, mediaCount: slides.length })
    return id
  })
}

const usual = {
  transition: 'fade',
  isPublic: false,
  shareToCommunity: false,
  isFavorite: false,
  isManualMode: false,
  tags: [] as string[],
  nsfw: false,
} as const
