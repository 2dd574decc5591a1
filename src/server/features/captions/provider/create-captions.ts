/** The caption writer that the settings ask for. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../../config/config.ts'
import { createOffProvider } from './caption-provider.ts'
import type { CaptionProvider } from './caption-provider.ts'
import type { CaptionWriter } from './caption-writer.ts'
import { createCaptionWriter } from './caption-writer.ts'
import { createOpenAiProvider } from './openai.ts'

type Outside = { readonly fetch: typeof globalThis.fetch; readonly now: () => Date }

export function createCaptions(
  config: Config['captions'],
  outside: Outside,
  demo?: CaptionProvider,
): CaptionWriter {
  const provider = (config.kind === 'demo' && demo) || createProvider(config, outside)
  return createCaptionWriter(provider, { sleep: (ms) => sleep(ms) })
}

function createProvider(config: Config['captions'], outside: Outside): CaptionProvider {
  const isConfigured = config.apiKey !== undefined || config.baseUrl !== undefined
  return config.kind === 'openai' && isConfigured
    ? createOpenAiProvider(config, outside)
    : createOffProvider()
}
