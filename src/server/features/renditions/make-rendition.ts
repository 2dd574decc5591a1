/**
 * Makes what slides tell of the file that they show: a picture's smaller sizes, where the eye goes in
 * it, and how long a film or an animation is (contract 1.3).
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

// What browsers make of pages that are to be seen for no time at all.
const shortestPageMs = 20
const shortPageMs = 100

/**
 * One try, where one is due. Fails where it is to be made again soon; 'postponed' in an outage,
 * which is not the file's fault and does not count.
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
    // Deleted while it was looked at: that it is gone is no failure.
    if (!(await endTry(ctx, rendition, end))) return 'done'
    if (!isLast) throw error
    ctx.log.warn(
      { event: 'rendition_failed', err: error, file: file.key },
      'a file is shown in its own size only',
    )
  }
  return 'done'
}

type Seen = {
  /** All that there are to be, of which only some had to be drawn. */
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

/** How long all its pages are seen, once. */
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
    const place = drawn.findIndex((one) => one.width === width)
    const own = files[place]
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

/** Somebody's own lie in their folder, outside of those that are listed as a vault. */
function folderOf({ bucket, userId }: Rendition): string {
  return bucket === 'general' ? 'community/sizes' : `users/${userId}/derived/sizes`
}
