/**
 * Exports a session as a zip that is generated while it is sent. The bytes are the same each time
 * (contract 4.2).
 */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { typeOfKind } from '../../../media/media-kind.ts'
import { findCategorySlug } from '../../classification/classification.ts'
import { pathOnThisSite } from '../../files/files.ts'
import { findSnapshot, requireOwn } from '../../sessions/sessions.ts'
import type { SessionSnapshot, SnapshotSlide } from '../../sessions/sessions.ts'
import type { SessionEntry, SlideEntry } from '../manifest.ts'
import type { ArchiveEntry } from '../zip/archive.ts'
import { zipAnswer } from '../zip/zip-answer.ts'
import { safeName } from './archive-names.ts'
import type { ExportedMedia } from './export-media.ts'
import { fetchDeadline, mediaEntry } from './export-media.ts'
import type { ManifestDraft } from './manifest-draft.ts'
import { draftManifest } from './manifest-draft.ts'

export async function exportSession(
  ctx: Context,
  { user, params }: Call<typeof api.archives.exportSession>,
) {
  await requireOwn(ctx, user.id, params.id)
  return zipAnswer(ctx, user.id, async () => {
    const snapshot = await findSnapshot(ctx, params.id)
    if (!snapshot) throw problem.sessionNotFound()
    return zipOfSession(ctx, snapshot)
  })
}

export function zipOfSession(ctx: Context, snapshot: SessionSnapshot) {
  const draft = draftManifest(ctx, snapshot.session.userId)
  const at = { number: 1, fetchUntil: fetchDeadline(ctx) }
  const entries = withManifest(draft, sessionEntries(ctx, snapshot, at, draft))
  return { fileName: `${safeName(snapshot.session.title)}.zip`, entries }
}

/** Yields the media, then the manifest: it is last because it lists the result for each file. */
export async function* withManifest(
  draft: ManifestDraft,
  media: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<ArchiveEntry> {
  try {
    yield* media
    yield draft.finish()
  } finally {
    await draft.discard()
  }
}

/** Yields the session's media, and then adds the session to the manifest. */
export async function* sessionEntries(
  ctx: Context,
  { session, thumbnailGiven, slides }: SessionSnapshot,
  { number, fetchUntil }: { readonly number: number; readonly fetchUntil: Date },
  draft: ManifestDraft,
): AsyncGenerator<ArchiveEntry> {
  const folder = `sessions/${number}`
  const wanted = (address: string, base: string) => ({
    userId: session.userId,
    address,
    base: `${folder}/${base}`,
    fetchUntil,
  })
  const entries: SlideEntry[] = []
  for (const [index, slide] of slides.entries()) {
    const base = String(index + 1).padStart(3, '0')
    yield* mediaEntry(
      ctx,
      wanted(slide.mediaUrl, base),
      (media) => void entries.push(slideEntry(ctx, slide, media)),
    )
  }
  let cover: SessionEntry['cover'] = null
  if (thumbnailGiven && session.thumbnail !== null)
    yield* mediaEntry(ctx, wanted(session.thumbnail, 'cover'), ({ file }) => void (cover = file))
  await draft.addSession({
    title: session.title,
    subfeeds: session.subfeeds,
    category:
      session.categorySource === 'manual' ? await findCategorySlug(ctx, session.categoryId) : null,
    intervalMin: session.intervalMin,
    intervalMax: session.intervalMax,
    transition: session.transition,
    aiPrompt: session.aiPrompt,
    captionTheme: session.captionTheme,
    isManualMode: session.isManualMode,
    isFavorite: session.isFavorite,
    tags: session.tags,
    nsfw: session.nsfw,
    cover,
    slides: entries,
  })
}

/** Builds the manifest's entry of a slide. Values of a feed that no import accepts are left out. */
function slideEntry(
  ctx: Context,
  slide: SnapshotSlide,
  { file, kind, missing }: ExportedMedia,
): SlideEntry {
  // URLs of this site are signed, so they must not be exported.
  const isElsewhere = file === null && pathOnThisSite(ctx, slide.mediaUrl) === null
  const isMeasured = (slide.width ?? 0) > 0 && (slide.height ?? 0) > 0
  return {
    type: kind ? typeOfKind(kind) : slide.type,
    file,
    url: isElsewhere && /^https?:\/\//.test(slide.mediaUrl) ? within(slide.mediaUrl, 4000) : null,
    missing,
    caption: slide.caption?.slice(0, 2000).toWellFormed() ?? null,
    captionIsAi: slide.captionIsAi,
    durationMs: slide.durationMs,
    title: slide.title?.slice(0, 2000).toWellFormed() ?? null,
    feedPostId: within(slide.feedPostId, 500),
    feedPostUrl: within(slide.feedPostUrl, 4000),
    subfeed: within(slide.subfeed, 2100),
    ...(slide.alt !== null && { alt: slide.alt.slice(0, 2000).toWellFormed() }),
    ...(slide.credit && { credit: slide.credit }),
    width: isMeasured ? slide.width : null,
    height: isMeasured ? slide.height : null,
    nsfw: slide.nsfw,
  }
}

function within(text: string | null, longest: number): string | null {
  return text === null || text.length > longest ? null : text
}
