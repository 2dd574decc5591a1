/** The caption writer that the settings ask for. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../../config/config.ts'
import { createDemoProvider } from './demo.ts'
import { createOffProvider } from './caption-provider.ts'
import { createOpenAiProvider } from './openai.ts'
import type { CaptionProvider } from './caption-provider.ts'
import type { CaptionWriter } from './caption-writer.ts'
import { createCaptionWriter } from './caption-writer.ts'

type Outside = { readonly fetch: typeof globalThis.fetch; readonly now: () => Date }

export function createCaptions(config: Config['captions'], outside: Outside): CaptionWriter {
  return createCaptionWriter(createProvider(config, outside), { sleep: (ms) => sleep(ms) })
}

function createProvider(config: Config['captions'], outside: Outside): CaptionProvider {
  if (config.kind === 'demo') return createDemoProvider()
  const isConfigured = config.apiKey !== undefined || config.baseUrl !== undefined
  return config.kind === 'openai' && isConfigured
    ? createOpenAiProvider(config, outside)
    : createOffProvider()
}
