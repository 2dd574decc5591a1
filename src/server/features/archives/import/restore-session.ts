/**
 * Creates a session from an archive. Media are stored first. Then one transaction creates the session
 * with its slides and claims the files; if it fails, the files are deleted.
 */
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { isMediaAddress, mediaUrlOf } from '../../../http/media/media-url.ts'
import { forEachLimit } from '../../../platform/concurrency/semaphore.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { matchCategory, sortTags } from '../../classification/classification.ts'
import { plainText } from '../../feeds/feeds.ts'
import { claimFiles, filesOf, originsOf, recordCopies, removeFiles } from '../../files/files.ts'
import { promiseCopies } from '../../imports/imports.ts'
import { coverUrl, insertImported, takeSessionId } from '../../sessions/sessions.ts'
import type { NewSlide } from '../../sessions/sessions.ts'
import { sessionFolder } from '../../vault/vault.ts'
import type { MissingReason, SessionEntry, SlideEntry } from '../manifest.ts'
import type { Archive } from '../zip/archive-reader.ts'
import type { RestoredMedia, Skipped } from './restore-media.ts'
import { restoreMedia, SkippedEntry } from './restore-media.ts'

export type Owner = { readonly id: string; readonly ageVerified: boolean }

export type Restored = { readonly sessionId: number; readonly skipped: readonly Skipped[] }

const slidesAtOnce = 3
// A URL may be as long as the manifest allows, but is only needed for recognition.
const longestSource = 500

/** Restores one session. `alongside` runs in the transaction that creates it. */
export async function restoreSession(
  ctx: Context,
  owner: Owner,
  archive: Archive,
  entry: SessionEntry,
  alongside: (ctx: Context, restored: Restored) => Promise<void> = async () => {},
): Promise<Restored> {
  const sessionId = await takeSessionId(ctx)
  const folder = sessionFolder(owner.id, sessionId)
  const work: Work = { entry, kept: [], cover: null, skipped: [] }
  try {
    await forEachLimit(entry.slides.entries(), slidesAtOnce, async ([index, slide]) => {
      const base = `${folder}${index}`
      const [kept, skipped] = await importOrSkip(nameOf(slide, index), () =>
        keepSlide(ctx, owner, archive, slide, base),
      )
      work.kept[index] = kept
      work.skipped[index] = skipped
    })
    const [cover, skipped] = await importOrSkip('cover', () =>
      keepCover(ctx, archive, entry, folder),
    )
    work.cover = cover
    work.skipped.push(skipped)
    return await atomically(ctx, (ctx) => write(ctx, owner, sessionId, work, alongside))
  } catch (error) {
    await removeFiles(ctx, filesOf(keptBy(work)))
    throw error
  }
}

/**
 * The stored media of a slide. A slide without a file keeps its remote URL and is copied in the
 * background.
 */
type KeptSlide = RestoredMedia | 'elsewhere'

type Work = {
  readonly entry: SessionEntry
  /** By slide index; null for a slide that was left out. */
  readonly kept: (KeptSlide | null)[]
  cover: RestoredMedia | null
  /** In slide order. */
  readonly skipped: (Skipped | null)[]
}

async function keepSlide(
  ctx: Context,
  { ageVerified }: Owner,
  archive: Archive,
  slide: SlideEntry,
  base: string,
): Promise<KeptSlide> {
  if (slide.nsfw && !ageVerified)
    throw new SkippedEntry('age_restricted', 'It is for age-verified accounts only')
  if (slide.file) {
    const content = archive.open(slide.file)
    if (!content) throw new SkippedEntry('not_found', 'It is not in the archive')
    return restoreMedia(ctx, content, base, slide.type)
  }
  if (slide.url !== null) return 'elsewhere'
  throw missingMedia(slide.missing)
}

async function keepCover(
  ctx: Context,
  archive: Archive,
  { cover }: SessionEntry,
  folder: string,
): Promise<RestoredMedia | null> {
  if (!cover) return null
  const content = archive.open(cover)
  if (!content) throw new SkippedEntry('not_found', 'It is not in the archive')
  return restoreMedia(ctx, content, `${folder}cover`, cover.name.endsWith('.gif') ? 'gif' : 'image')
}

/** Returns the error for a file that the export could not include. */
export function missingMedia(reason: MissingReason | null): SkippedEntry {
  if (reason === 'unreachable')
    return new SkippedEntry('unreachable', 'It could not be downloaded when the archive was made')
  if (reason === 'too-large')
    return new SkippedEntry('too_large', 'It was too large to be exported')
  if (reason === 'not-media')
    return new SkippedEntry('not_media', 'It was not a picture or a video')
  return new SkippedEntry('not_found', 'It no longer existed when the archive was made')
}

/** Returns the result, or the skipped entry. */
export async function importOrSkip<T>(
  source: string,
  keep: () => Promise<T>,
): Promise<[kept: T | null, skipped: Skipped | null]> {
  try {
    return [await keep(), null]
  } catch (error) {
    if (!(error instanceof SkippedEntry)) throw error
    const named = plainText(source, longestSource)
    return [null, { source: named, reason: error.message, code: error.code }]
  }
}

async function write(
  ctx: Context,
  owner: Owner,
  sessionId: number,
  work: Work,
  alongside: (ctx: Context, restored: Restored) => Promise<void>,
): Promise<Restored> {
  const { entry, kept, cover } = work
  const { known: tags, unknown } = await sortTags(ctx, entry.tags)
  const categoryId = await matchCategory(ctx, entry.category)
  const skipped = [
    ...work.skipped.filter((one) => one !== null),
    ...unknown.map((tag) => unknownWord('tag', tag)),
  ]
  if (categoryId === null && entry.category !== null)
    skipped.push(unknownWord('category', entry.category))
  const { slides, category: _, cover: __, ...settings } = entry
  const drawn = entry.subfeeds.length > 0 ? coverUrl(entry.subfeeds) : null
  const session = {
    ...settings,
    id: sessionId,
    userId: owner.id,
    categoryId,
    categorySource: categoryId === null ? ('default' as const) : ('manual' as const),
    thumbnail: urlOf(ctx, cover?.file ?? null) ?? drawn,
    thumbnailGiven: cover !== null,
    ownThumbnailKey: cover?.file.key ?? null,
    isPublic: false,
    importSource: 'archive',
    importUrl: null,
    tags,
  }
  const shown = slides.flatMap((slide, index) => importedSlide(ctx, slide, kept[index] ?? null))
  await insertImported(ctx, session, shown, skipped)
  await promiseCopies(ctx, { id: sessionId, mediaCount: shown.length })
  const files = filesOf(keptBy(work))
  await claimFiles(ctx, files)
  await recordCopies(ctx, originsOf(keptBy(work)))
  const restored = { sessionId, skipped }
  await alongside(ctx, restored)
  return restored
}

function importedSlide(ctx: Context, slide: SlideEntry, kept: KeptSlide | null): NewSlide[] {
  if (kept === null || (kept === 'elsewhere' && !isMediaAddress(ctx, slide.url ?? ''))) return []
  const { file: _, url, missing: __, alt = null, credit = null, ...rest } = slide
  const said = { ...rest, alt, credit }
  if (kept === 'elsewhere') return [{ ...said, mediaUrl: url ?? '' }]
  const { file, thumbnail, width, height, perceptualHashes } = kept
  return [
    {
      ...said,
      width,
      height,
      perceptualHashes,
      mediaUrl: urlOf(ctx, file) ?? '',
      thumbnail: urlOf(ctx, thumbnail),
      ownFileKey: file.key,
      ownThumbnailKey: thumbnail?.key ?? null,
    },
  ]
}

function urlOf(ctx: Context, file: FileAddress | null): string | null {
  return file && mediaUrlOf(ctx, file)
}

function keptBy({ kept, cover }: Work): RestoredMedia[] {
  return [...kept, cover].flatMap((media) => (media && media !== 'elsewhere' ? media : []))
}

function nameOf({ file, url }: SlideEntry, index: number): string {
  return file?.name ?? url ?? `slide ${index + 1}`
}

function unknownWord(kind: 'tag' | 'category', slug: string): Skipped {
  return { source: `${kind} ${slug}`, reason: `This site has no such ${kind}`, code: 'not_found' }
}
