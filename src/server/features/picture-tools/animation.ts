/**
 * Animations of pictures. Pictures are read, and frames drawn, a few at a time, so that 24 large
 * pictures need no more memory than a few. Frames stay compressed until they are joined.
 */
import { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { sharp } from '../../media/libvips.ts'
import { inTurn } from '../../media/picture-turns.ts'
import { developPicture, photograph } from '../../media/picture.ts'
import { forEachLimit } from '../../platform/concurrency/semaphore.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import type { AnimationFormat, Frame } from '../../../contract/animation-timeline.ts'
import { furthestZoom, planFrames } from '../../../contract/animation-timeline.ts'
import type { Overlay } from './frame-text.ts'
import { drawText, IllegibleText } from './frame-text.ts'
import { explained, readPicture } from './picture-input.ts'
import type { Made } from './results.ts'
import { chargeFor } from './results.ts'

const readsAtOnce = 3
// Many times the duration of the largest animation, which takes one processor half a minute.
const timeoutSeconds = 240
const packed = { ...photograph, quality: 95, chromaSubsampling: '4:4:4' } as const

type Body = Call<typeof api.images.animate>['body']
type MadeAnimation = Made & { readonly frames: number; readonly durationMs: number }

export function animate(ctx: Context, { user, body, settle }: Call<typeof api.images.animate>) {
  const order = {
    featureKey: api.images.animate.price,
    description: 'Animation',
    saveToVault: body.saveToVault,
  }
  return chargeFor(ctx, { user, settle }, order, {
    make: () => makeAnimation(ctx, body),
    answer: ({ frames, durationMs, width, height }, delivered) => ({
      success: true as const,
      frames,
      durationMs,
      dimensions: { width, height },
      ...delivered,
    }),
  })
}

async function makeAnimation(ctx: Context, body: Body): Promise<MadeAnimation> {
  const { size, format, effect, frameMs } = body
  const overlay = await overlayOf(body)
  const { stills, origins } = await readStills(ctx, body)
  // Only the zoom effect can animate a single picture.
  if (effect !== 'zoom') refuseStill(stills)
  const plan = planFrames({
    pictures: stills.length,
    frameMs,
    effect,
    sizePx: size,
    format,
  })
  // One animation at a time: a long one must not take every turn.
  const animation = await ctx.turns.inTurn('animating', async () => {
    const frames: Buffer[] = []
    for (const frame of plan)
      frames.push(await inTurn(() => drawFrame(stills, frame, { sizePx: size, overlay })))
    refuseStill(frames)
    const delaysMs = plan.map(({ delayMs }) => delayMs)
    return inTurn(() => encode(frames, delaysMs, format))
  })
  return {
    ...animation,
    tool: 'animation',
    extension: format,
    width: size,
    height: size,
    layout: null,
    seam: null,
    origins,
  }
}

async function overlayOf({ text = '', size }: Body): Promise<Overlay | null> {
  try {
    return await inTurn(() => drawText(text, size))
  } catch (error) {
    throw refusal(error instanceof IllegibleText ? error.message : 'The text cannot be drawn')
  }
}

/** Crops each picture to a square. For a zoom the square is slightly larger than the frames. */
async function readStills(ctx: Context, { imageUrls, size, effect }: Body) {
  const side = effect === 'zoom' ? Math.ceil(size * furthestZoom) : size
  const stills: Buffer[] = []
  const origins: FileAddress[] = []
  await forEachLimit(imageUrls.entries(), readsAtOnce, async ([index, address]) => {
    const called = `Picture ${index + 1}`
    const { picture, file } = await readPicture(ctx, address, { called })
    if (file) origins.push(file)
    stills[index] = await explained(called, () =>
      developPicture(picture, (image) =>
        image
          .resize(side, side, { fit: 'cover' })
          .flatten({ background: 'black' })
          .toColourspace('srgb')
          .jpeg(packed)
          .toBuffer(),
      ),
    )
  })
  return { stills, origins }
}

async function drawFrame(
  stills: readonly Buffer[],
  { picture, next, nextShare, zoom }: Frame,
  { sizePx, overlay }: { readonly sizePx: number; readonly overlay: Overlay | null },
): Promise<Buffer> {
  const still = stills[picture]
  const { width: side } = await sharp(still).metadata()
  if (still && side === sizePx && nextShare === 0 && !overlay) return still
  const shown = Math.round(side / zoom)
  const edge = Math.floor((side - shown) / 2)
  const image = sharp(
    await sharp(still)
      .extract({ left: edge, top: edge, width: shown, height: shown })
      .resize(sizePx, sizePx)
      .png({ compressionLevel: 0 })
      .toBuffer(),
  )
  const layers = []
  if (nextShare > 0) layers.push({ input: await veil(stills[next], nextShare) })
  if (overlay) layers.push({ ...overlay })
  return image.composite(layers).removeAlpha().jpeg(packed).toBuffer()
}

/** Makes a picture translucent. */
function veil(still: Buffer | undefined, share: number): Promise<Buffer> {
  return sharp(still).ensureAlpha(share).png({ compressionLevel: 0 }).toBuffer()
}

/** Reads the number and delays of frames from the result: encoders merge equal frames. */
async function encode(
  frames: readonly Buffer[],
  delaysMs: readonly number[],
  format: AnimationFormat,
) {
  const image = sharp([...frames], { join: { across: 1, animated: true } }).timeout({
    seconds: timeoutSeconds,
  })
  const timing = { delay: [...delaysMs], loop: 0 }
  const bytes = await (
    format === 'gif'
      ? image.gif({ ...timing, effort: 3, keepDuplicateFrames: true })
      : image.webp({ ...timing, quality: 80, effort: 2 })
  ).toBuffer()
  const { pages = 1, delay = [] } = await sharp(bytes, { animated: true }).metadata()
  if (pages === 1) throw nothingMoves()
  return { bytes, frames: pages, durationMs: delay.reduce((sum, ms) => sum + ms, 0) }
}

function refuseStill([first, ...others]: readonly Buffer[]): void {
  if (first && others.every((other) => other.equals(first))) throw nothingMoves()
}

function nothingMoves() {
  return refusal('The animation would not move: all pictures are the same')
}

function refusal(message: string) {
  return problem.invalidPicture({ message })
}
