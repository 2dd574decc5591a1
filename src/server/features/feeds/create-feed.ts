/** The feed that the settings ask for. */
import type { Config } from '../../config.ts'
import { createOffSource } from './adapters/off.ts'
import type { FeedSource } from './feed-source.ts'

export function createFeed(_config: Config): FeedSource {
  return createOffSource()
}
