/** Creates the configured caption writer. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../../config/config.ts'
import { createOffProvider } from './caption-provider.ts'
import type { CaptionProvider } from './caption-provider.ts'
import type { CaptionWriter } from './caption-writer.ts'
import { createCaptionWriter } from './caption-writer.ts'

type Outside = { readonly fetch: typeof globalThis.fetch; readonly now: () => Date }

export async function createCaptions(
  config: Config['captions'],
  outside: Outside,
  demo?: CaptionProvider,
): Promise<CaptionWriter> {
  const provider = (config.kind === 'demo' && demo) || (await createProvider(config, outside))
  return createCaptionWriter(provider, { sleep: (ms) => sleep(ms) })
}

async function createProvider(
  config: Config['captions'],
  outside: Outside,
): Promise<CaptionProvider> {
  const isConfigured = config.apiKey !== undefined || config.baseUrl !== undefined
  if (config.kind !== 'openai' || !isConfigured) return createOffProvider()
  const { createOpenAiProvider } = await import('./openai.ts')
  return createOpenAiProvider(config, outside)
}
