/**
 * Makes renditions of the files that slides show: smaller sizes of a picture, its point of interest,
 * and the duration of a video or an animation (contract 1.3).
 */
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { isAnimated } from '../../media/displayable-picture.ts'
import { mediaKindOf } from '../../media/media-kind.ts'
import { drawSizes, widthsOf } from '../../media/picture-sizes.ts'
import type { Focus } from '../../media/picture-sizes.ts'
import type { Picture } from '../../media/picture.ts'
import { inspectPicture, withPictureBudget } from '../../media/picture.ts'
import { videoSourceOf, withPictureBytes } from '../../media/stored-media.ts'
import type { Thumbnail } from '../../media/thumbnails.ts'
import { measureVideo } from '../../media/video.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { isOutage } from '../../platform/outage.ts'
import { claimFiles, recordOrigins, removeFiles, storeUnclaimed } from '../files/files.ts'
import type { Made, Rendition } from './queries.ts'
import { beginRendition, endTry, finishRendition } from './queries.ts'

export const maxTries = 3

// Browsers show pages with a shorter delay for 100 ms.
const shortestPageMs = 20
const shortPageMs = 100

/**
 * Makes one try if one is due. Throws if the try is to be repeated soon. Returns 'postponed' in an
 * outage, which does not count as a try.
 */
export async function makeRendition(
  ctx: Context,
  file: FileAddress,
): Promise<'done' | 'postponed'> {
  const rendition = await beginRendition(ctx, file)
  if (!rendition) return 'done'
  try {
    await keep(ctx, rendition, await look(ctx, rendition))
  } catch (error) {
    if (isOutage(error)) {
      await endTry(ctx, rendition, { status: 'pending', counts: false })
      return 'postponed'
    }
    const isLast = rendition.number >= maxTries
    const end = { status: isLast ? 'failed' : 'pending', counts: true } as const
    // The file was deleted during the try, so a missing file is no failure.
    if (!(await endTry(ctx, rendition, end))) return 'done'
    if (!isLast) throw error
    ctx.log.warn(
      { event: 'rendition_failed', err: error, file: file.key },
      'failed to make smaller sizes of a file',
    )
  }
  return 'done'
}

type Seen = {
  /** All widths of the rendition. Only those that did not exist yet were drawn. */
  readonly widths: readonly number[]
  readonly drawn: readonly Thumbnail[]
  readonly focus: Focus | null
  readonly lengthMs: number | null
}

async function look(ctx: Context, rendition: Rendition): Promise<Seen> {
  const kind = await mediaKindOf(ctx, rendition)
  if (kind.is === 'video') {
    const lengthMs = rendition.lengthMs ?? (await measureVideo(await videoSourceOf(ctx, rendition)))
    return { widths: [], drawn: [], focus: null, lengthMs }
  }
  return withPictureBytes(ctx, rendition, (bytes) =>
    withPictureBudget(() => lookAtPicture(bytes, rendition)),
  )
}

async function lookAtPicture(bytes: Uint8Array, { thumbnails }: Rendition): Promise<Seen> {
  const picture = await inspectPicture(bytes)
  const moves = picture.format === 'gif' || isAnimated(picture)
  const widths = moves ? [] : widthsOf(picture)
  const missing = widths.filter((width) => thumbnails[width] === undefined)
  const { sizes: drawn, focus } = await drawSizes(picture, missing)
  return { widths, drawn, focus, lengthMs: lengthOf(picture) }
}

/** Returns the duration of all pages, played once. */
function lengthOf({ pages, delaysMs }: Picture): number | null {
  if (pages < 2) return null
  return delaysMs.reduce((sum, ms) => sum + (ms < shortestPageMs ? shortPageMs : ms), 0)
}

async function keep(ctx: Context, rendition: Rendition, seen: Seen): Promise<void> {
  const folder = `${folderOf(rendition)}/${ctx.newId()}`
  const drawn = seen.drawn.map(({ width, bytes }) => ({
    width,
    bytes,
    file: { bucket: rendition.bucket, key: `${folder}/${width}.webp` },
  }))
  const files = drawn.map(({ file }) => file)
  try {
    for (const { file, bytes } of drawn) await storeUnclaimed(ctx, file, bytes)
    const made = madeOf(ctx, rendition, seen, files)
    const isKept = await atomically(ctx, async (ctx) => {
      if (!(await finishRendition(ctx, rendition, made))) return false
      await claimFiles(ctx, files)
      for (const file of files) await recordOrigins(ctx, file, [rendition])
      return true
    })
    if (!isKept) await removeFiles(ctx, files)
  } catch (error) {
    await removeFiles(ctx, files)
    throw error
  }
}

function madeOf(
  ctx: Context,
  { bucket, thumbnails }: Rendition,
  { widths, drawn, focus, lengthMs }: Seen,
  files: readonly FileAddress[],
): Made {
  const all = widths.flatMap((width) => {
    const index = drawn.findIndex((one) => one.width === width)
    const own = files[index]
    if (own) return [{ width, file: own, isBorrowed: false }]
    const key = thumbnails[width]
    return key === undefined ? [] : [{ width, file: { bucket, key }, isBorrowed: true }]
  })
  const addresses = all.map(({ width, file }) => [width, mediaUrlOf(ctx, file)] as const)
  return {
    sizes: all.length === 0 ? null : Object.fromEntries(addresses),
    focus,
    lengthMs,
    files: all.map(({ file, isBorrowed }) => ({ file, isBorrowed })),
  }
}

/** Returns the folder. A user's renditions are in a folder that the vault does not list. */
function folderOf({ bucket, userId }: Rendition): string {
  return bucket === 'general' ? 'community/sizes' : `users/${userId}/derived/sizes`
}
