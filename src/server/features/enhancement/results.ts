/** Handles enhanced pictures: downloads them, saves them to the vault, and ends stuck generations. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { attachmentDisposition } from '../../http/media/media-files.ts'
import { problem } from '../../http/problem.ts'
import { FileStream } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { contentTypeOf, FileMissing } from '../../platform/storage/storage.ts'
import { copyUnclaimed, removeFiles } from '../files/files.ts'
import { nameInVault, newVaultFile } from '../vault/vault.ts'
import { mayFetch } from '../visibility/visibility.ts'
import { failAbandoned } from './endings.ts'
import { findCompleted, lockCompleted, setSaved } from './result-queries.ts'

export async function readStatus(ctx: Context) {
  const { provider_a, provider_b } = ctx.enhancers.providers
  return {
    provider_a: { available: provider_a.isAvailable() },
    provider_b: { available: provider_b.isAvailable() },
  }
}

export async function downloadResult(
  ctx: Context,
  { user, params }: Call<typeof api.enhancement.download>,
) {
  const generation = await findCompleted(ctx, user.id, params.id)
  if (!generation) throw problem.generationNotFound()
  const file = resultFile(generation.path)
  if (!(await mayFetch(ctx, file, async () => user))) throw problem.generationNotFound()
  const stored = await ctx.storage.stat(file.bucket, file.key)
  if (!stored) throw problem.generationNotFound()
  const content = await ctx.storage.read(file.bucket, file.key).catch((error: unknown) => {
    throw error instanceof FileMissing ? problem.generationNotFound() : error
  })
  return new FileStream(content, {
    'content-type': contentTypeOf(file.key),
    'content-length': String(stored.size),
    'content-disposition': attachmentDisposition(nameOf(generation)),
  })
}

/** Saves the result to the vault. Saving it again returns the same media, until its owner deletes that. */
export async function saveResult(
  ctx: Context,
  { user, body }: Call<typeof api.enhancement.saveResult>,
) {
  const generation = await findCompleted(ctx, user.id, body.generationId)
  if (!generation) throw problem.generationNotFound()
  if (generation.mediaId !== null) return { mediaId: generation.mediaId }
  const result = resultFile(generation.path)
  if (!(await mayFetch(ctx, result, async () => user))) throw problem.generationNotFound()
  const extension = extensionOf(result.key)
  const file = newVaultFile(ctx, { userId: user.id, source: 'upload', extension })
  await copyUnclaimed(ctx, result, file).catch((error: unknown) => {
    throw error instanceof FileMissing ? problem.generationNotFound() : error
  })
  const stored = await ctx.storage.stat(file.bucket, file.key)
  try {
    return await atomically(ctx, async (ctx) => {
      const held = await lockCompleted(ctx, user.id, generation.id)
      if (!held) throw problem.generationNotFound()
      // A concurrent request was faster: return its media. Our copy is removed below.
      if (held.mediaId !== null) return { mediaId: held.mediaId }
      const { mediaId } = await nameInVault(ctx, {
        userId: user.id,
        source: 'upload',
        file,
        fileSize: stored?.size ?? 0,
        name: nameOf(held),
        width: held.width,
        height: held.height,
        metadata: { tool: 'enhancement', generationId: held.id },
        origins: [result],
      })
      await setSaved(ctx, held.id, mediaId)
      return { mediaId }
    })
  } finally {
    // Does nothing once the file is claimed.
    await removeFiles(ctx, [file])
  }
}

export function clearStuck(ctx: Context, { user }: Call<typeof api.enhancement.clearStuck>) {
  return failAbandoned(ctx, { userId: user.id })
}

function resultFile(key: string): FileAddress {
  return { bucket: 'user-media', key }
}

function nameOf({ id, path }: { id: number; path: string }): string {
  return `enhanced-${id}.${extensionOf(path)}`
}

function extensionOf(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1)
}
