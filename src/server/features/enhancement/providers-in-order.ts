/**
 * Asks one provider and then the other, each with its own time. Whatever goes wrong with one is a
 * reason to ask the next; what went wrong with both is kept with the generation.
 */
import type { ProviderName, Quality } from '../../../contract/enhancement.ts'
import type { Context } from '../../context.ts'
import type { Picture } from '../../media/picture.ts'
import { inspectPicture } from '../../media/picture.ts'
import { readSettings } from '../settings/settings.ts'
import { enlargement, ProviderUnavailable, UnsafePicture } from './enhancer.ts'
import type { Frame } from './frame.ts'

export type Enhanced = { readonly provider: ProviderName; readonly picture: Picture }

/** No provider has made anything; says why, provider by provider. */
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
        'a picture was not enhanced',
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
  /** Ends everything, whatever time is left. */
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
    // A provider that does not hear the signal is left behind.
    const made = await Promise.race([work, failWith(signal)])
    if (!made || made.length === 0) throw new Error('nothing came of it')
    return await requireEnlarged(made, frame)
  } finally {
    clearTimeout(timer)
    // Nothing is left to wait for.
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
    throw new Error(`what came of it is ${width} × ${height} pixels`)
  return enlarged
}
