/**
 * Tries one provider and then the other, each with a separate time limit. Any failure of the first leads
 * to the second. If both fail, the row of the generation stores both reasons.
 */
import type { ProviderName, Quality } from '../../../contract/enhancement.ts'
import type { Context } from '../../context.ts'
import type { Picture } from '../../media/picture.ts'
import { inspectPicture } from '../../media/picture.ts'
import { readSettings } from '../settings/settings.ts'
import { enlargement, ProviderUnavailable, UnsafePicture } from './enhancer.ts'
import type { Frame } from './frame.ts'

export type Enhanced = { readonly provider: ProviderName; readonly picture: Picture }

/** Thrown when no provider has a result; the message has the reason of each. */
export class NothingMade extends Error {
  override name = 'NothingMade'
}

export async function providerOrder(
  ctx: Context,
  quality: Quality,
): Promise<readonly [ProviderName, ProviderName]> {
  const { enhancementPrimary } = await readSettings(ctx)
  return quality === 'low' || enhancementPrimary === 'provider_a'
    ? ['provider_a', 'provider_b']
    : ['provider_b', 'provider_a']
}

/** Fails with NothingMade or UnsafePicture. */
export async function enhanceByOrder(
  ctx: Context,
  frame: Frame,
  { order, budgetMs, stop }: Ask,
): Promise<Enhanced> {
  const complaints: string[] = []
  for (const provider of order) {
    try {
      const picture = await ask(ctx, provider, frame, { budgetMs, stop })
      return { provider, picture }
    } catch (error) {
      if (error instanceof UnsafePicture) throw error
      ctx.log.warn(
        { event: 'enhancement_failed', err: error, provider },
        'a provider failed to enhance a picture',
      )
      complaints.push(`${provider}: ${error instanceof Error ? error.message : String(error)}`)
      if (stop.aborted) break
    }
  }
  throw new NothingMade(complaints.join('; '))
}

type Ask = {
  readonly order: readonly ProviderName[]
  readonly budgetMs: number
  /** Aborts everything, even if time is left. */
  readonly stop: AbortSignal
}

async function ask(
  ctx: Context,
  provider: ProviderName,
  frame: Frame,
  { budgetMs, stop }: Omit<Ask, 'order'>,
): Promise<Picture> {
  const enhancer = ctx.enhancers.providers[provider]
  if (!enhancer.isAvailable()) throw new ProviderUnavailable('it is not available')
  const budget = new AbortController()
  const timer = setTimeout(() => budget.abort(new Error('the time ran out')), budgetMs)
  const signal = AbortSignal.any([budget.signal, stop])
  try {
    const work = enhancer.enhance(frame, { signal, budgetMs })
    // Do not wait for a provider that ignores the signal.
    const made = await Promise.race([work, failWith(signal)])
    if (!made || made.length === 0) throw new Error('it returned no picture')
    return await requireEnlarged(made, frame)
  } finally {
    clearTimeout(timer)
    // Stops a provider that is still running after a failure.
    budget.abort(new Error('it is over'))
  }
}

function failWith(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(signal.reason as Error)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

async function requireEnlarged(made: Uint8Array, { picture }: Frame): Promise<Picture> {
  const enlarged = await inspectPicture(made)
  const { width, height } = enlarged
  if (width !== picture.width * enlargement || height !== picture.height * enlargement)
    throw new Error(`the result has ${width} × ${height} pixels`)
  return enlarged
}
