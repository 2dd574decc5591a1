/** The files of a generation: the upload, the provider's input and the result. */
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { claimFiles, recordOrigins, storeUnclaimed } from '../files/files.ts'
import type { Accepted } from './endings.ts'
import { GenerationEnded } from './endings.ts'
import type { ResultFormat } from './frame.ts'
import { setInputPaths } from './queries.ts'
import type { JudgedPicture } from './upload-input.ts'

export type GenerationFiles = {
  readonly original: FileAddress
  readonly provider: FileAddress
  readonly result: FileAddress
}

const extensions: Readonly<Record<ResultFormat, string>> = { jpeg: 'jpg', png: 'png', webp: 'webp' }

export function filesOf(
  ctx: Context,
  { id, userId }: Accepted,
  format: ResultFormat,
): GenerationFiles {
  const name = `${id}-${ctx.newId()}`
  const at = (folder: string, extension: string): FileAddress => ({
    bucket: 'user-media',
    key: `users/${userId}/enhance/${folder}/${name}.${extension}`,
  })
  return {
    original: at('original', extensions[format]),
    provider: at('provider', 'png'),
    result: at('result', extensions[format]),
  }
}

/** Stores and claims the inputs at once, so that a failed generation shows its input for a day. */
export async function storeInputs(
  ctx: Context,
  { id }: Accepted,
  { original, provider }: GenerationFiles,
  { picture, frame }: JudgedPicture,
): Promise<void> {
  await storeUnclaimed(ctx, original, picture.bytes)
  await storeUnclaimed(ctx, provider, frame.bytes)
  await atomically(ctx, async (ctx) => {
    const isPending = await setInputPaths(ctx, id, {
      original: original.key,
      provider: provider.key,
    })
    if (!isPending) throw new GenerationEnded()
    await claimFiles(ctx, [original, provider])
    await recordOrigins(ctx, provider, [original])
  })
}

/** Stores the result. The transaction that completes the generation claims it. */
export async function storeResult(
  ctx: Context,
  { result }: GenerationFiles,
  bytes: Uint8Array,
): Promise<void> {
  await storeUnclaimed(ctx, result, bytes)
}
