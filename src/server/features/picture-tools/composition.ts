/**
 * Compositions of two pictures: uploading the pictures, composing them, and changing a composition's
 * layout.
 */
import { api } from '../../../contract/api.ts'
import type { Layout } from '../../../contract/composition-layout.ts'
import {
  compositionSides as sides,
  layoutFor,
  partsOf,
} from '../../../contract/composition-layout.ts'
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { Problem, problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { requireDecodablePicture } from '../../media/decodable-file.ts'
import { makeDisplayable } from '../../media/displayable-picture.ts'
import { inspectPicture } from '../../media/picture.ts'
import { freeBytes } from '../../platform/storage/free-bytes.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { ownFileAt, readPictureSource } from '../files/files.ts'
import { refuseBlockedPicture } from '../moderation/moderation.ts'
import { findSavedComposition } from '../vault/vault.ts'
import type { Composition } from './compose-pictures.ts'
import { composeParts, composePictures } from './compose-pictures.ts'
import type { PictureInput } from './picture-input.ts'
import { explained, judgePicture, readPicture, tooLarge } from './picture-input.ts'
import { findResult } from './queries.ts'
import type { Delivered, Made } from './results.ts'
import { chargeFor, storeForADay } from './results.ts'

// Two uncompressed pictures of the largest size, so that our own results are never refused.
const compositionMaxBytes = 160 * 1_048_576

type Laid = Pick<Composition, 'layout' | 'seam'>
type MadeComposition = Made & { readonly layout: Layout }

export function compose(ctx: Context, { user, body, settle }: Call<typeof api.images.compose>) {
  const { babeImageUrl: first, cockImageUrl: second, layout, saveToVault } = body
  const order = {
    featureKey: api.images.compose.price,
    description: 'Composition',
    saveToVault,
  }
  const make = async () => {
    const inputs = await Promise.all([
      readPicture(ctx, first, { called: 'The first picture', sides }),
      readPicture(ctx, second, { called: 'The second picture', sides }),
    ])
    const pictures = [inputs[0].picture, inputs[1].picture] as const
    const chosen = layout === 'auto' ? layoutFor(pictures) : layout
    const composition = await explained('One of the pictures', () =>
      composePictures(pictures, chosen),
    )
    for (const { bytes } of pictures) freeBytes(bytes)
    return madeOf(composition, ownFilesOf(inputs))
  }
  return chargeFor(ctx, { user, settle }, order, { make, answer })
}

/** Swaps the parts or changes the layout. A request that changes nothing costs nothing. */
export function remix(ctx: Context, { user, body, settle }: Call<typeof api.images.remix>) {
  const order = {
    featureKey: api.images.remix.price,
    description: 'Composition remix',
    saveToVault: false,
  }
  const make = async () => {
    const file = ownFileAt(ctx, body.imageUrl)
    const laid = file && (await findLaid(ctx, user.id, file))
    if (!laid) throw refusal('This is not one of your compositions')
    const [first, second] = partsOf(laid.size, laid)
    const parts = body.swap ? ([second, first] as const) : ([first, second] as const)
    const layout = body.layout === 'auto' ? layoutFor(parts) : (body.layout ?? laid.layout)
    if (layout === laid.layout && !body.swap) throw refusal('It already has this layout')
    const composition = await explained('The composition', () =>
      composeParts(laid.picture, parts, layout),
    )
    return madeOf(composition, [file])
  }
  return chargeFor(ctx, { user, settle }, order, { make, answer })
}

export async function uploadPicture(
  ctx: Context,
  { user, form }: Pick<Call<typeof api.images.uploadFirst>, 'user' | 'form'>,
) {
  const { file } = form
  if (!file)
    throw new Problem(problems.validationFailed, {
      message: 'Validation failed: image is required',
    })
  if (file.isTooLarge) throw tooLarge('The picture')
  const { picture, bytes } = await explained('The picture', () => showable(ctx, file.bytes))
  const extension = picture.format === 'jpeg' ? 'jpg' : picture.format
  const stored = await storeForADay(ctx, user.id, bytes, extension)
  return { imageUrl: mediaUrlOf(ctx, stored), width: picture.width, height: picture.height }
}

/** Removes private metadata, because everyone with the address can open the picture. */
async function showable(ctx: Context, given: Uint8Array) {
  const picture = await judgePicture(given, { called: 'The picture', sides })
  await refuseBlockedPicture(ctx, picture)
  const cleaned = await makeDisplayable(given)
  if (!cleaned) await requireDecodablePicture(picture)
  return { picture, bytes: cleaned ?? given }
}

/** Returns a composition of the user, temporary or in the vault. */
async function findLaid(ctx: Context, userId: string, file: FileAddress) {
  const laid =
    laidOf(await findResult(ctx, userId, file)) ?? (await findSavedComposition(ctx, userId, file))
  if (!laid) return null
  return explained('The composition', async () => {
    const { bytes } = await readPictureSource(ctx, mediaUrlOf(ctx, file), {
      maxBytes: compositionMaxBytes,
    })
    const picture = await inspectPicture(bytes)
    return { ...laid, picture, size: { width: picture.width, height: picture.height } }
  })
}

function laidOf(result: { layout: Layout | null; seam: number | null } | undefined): Laid | null {
  const { layout = null, seam = null } = result ?? {}
  return layout === null || seam === null ? null : { layout, seam }
}

function madeOf(composition: Composition, origins: readonly FileAddress[]): MadeComposition {
  return { ...composition, tool: 'composition', durationMs: null, origins }
}

function answer({ layout, width, height }: MadeComposition, delivered: Delivered) {
  return { success: true as const, layout, dimensions: { width, height }, ...delivered }
}

function ownFilesOf(inputs: readonly PictureInput[]): FileAddress[] {
  return inputs.map(({ file }) => file).filter((file) => file !== null)
}

function refusal(message: string) {
  return problem.invalidPicture({ message })
}
