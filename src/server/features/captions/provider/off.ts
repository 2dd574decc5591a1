/** For an installation without captions, or whose provider lacks its key. */
import type { CaptionProvider } from './caption-provider.ts'
import { CaptionFailed } from './caption-provider.ts'

export function createOffProvider(): CaptionProvider {
  return {
    name: 'off',
    model: null,
    ask: async () => {
      throw new CaptionFailed('not_configured', 'Captions are turned off')
    },
  }
}
