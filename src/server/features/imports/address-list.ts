/** Imports a list of URLs: files of the caller's own vault are used as they are, others are copied. */
import { problems } from '../../../contract/problems.ts'
import { sessionProblems } from '../../../contract/session-records.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../http/problem.ts'
import { forEachLimit } from '../../platform/concurrency/semaphore.ts'
import type { VaultSlide } from '../vault/vault.ts'
import { findOwnMediaAt, findVaultSlides } from '../vault/vault.ts'
import type { Gathered } from './gathering.ts'
import { createGathering, judgeAddress, slideAt } from './gathering.ts'

const lookedUpAtOnce = 4

export async function gatherAddresses(
  ctx: Context,
  userId: string,
  addresses: readonly string[],
): Promise<Gathered> {
  const judged = addresses.map((source) => ({ source, ...judgeAddress(ctx, source) }))
  const own = judged.flatMap((entry) =>
    'address' in entry && entry.address.startsWith('/') ? entry.address : [],
  )
  const fromVault = await findInVault(ctx, userId, own)
  const gathering = createGathering()
  for (const entry of judged) {
    if ('code' in entry) {
      gathering.skip(entry.source, entry.code)
      continue
    }
    const shown = fromVault.get(entry.address)
    if (shown === 'missing') gathering.skip(entry.source, 'not_found')
    else gathering.add(slideAt(entry.address, shown))
  }
  return gathering.end()
}

/** Returns vault files by URL, without URLs that lead elsewhere on this site. */
async function findInVault(
  ctx: Context,
  userId: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, VaultSlide | 'missing'>> {
  const found = new Map<string, VaultSlide | 'missing'>()
  const ownMedia = await findOwnMediaAt(ctx, userId, addresses)
  await forEachLimit(ownMedia, lookedUpAtOnce, async ([address, mediaId]) => {
    const slides = await findVaultSlides(ctx, userId, [mediaId]).catch(nothingIfMissing)
    found.set(address, slides?.get(mediaId) ?? 'missing')
  })
  return found
}

/** Returns null for a missing file, and for one that cannot be decoded and thus cannot be shown. */
function nothingIfMissing(error: unknown): null {
  const unseen: readonly unknown[] = [sessionProblems.mediaNotFound, problems.validationFailed]
  if (error instanceof Problem && unseen.includes(error.failure)) return null
  throw error
}
