/** The feed of an installation that has none, or whose feed lacks its credentials. */
import type { FeedSource } from '../feed-source.ts'
import { FeedUnavailable } from '../feed-source.ts'

export function createOffSource(): FeedSource {
  return createSourceWithoutCredentials('off', 'The feed is turned off')
}

export function createSourceWithoutCredentials(
  name: FeedSource['name'],
  message: string,
): FeedSource {
  const refuse = async () => {
    throw new FeedUnavailable('missing_credentials', message)
  }
  return { name, list: refuse, search: refuse }
}
