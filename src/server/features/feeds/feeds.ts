/** What other features may ask of feeds. */
export { readLemmyListing } from './adapters/lemmy-posts.ts'
export { readRedditListing } from './adapters/reddit-posts.ts'
export type { FeedMedia } from './feed-source.ts'
export { gatherMedia } from './gathering.ts'
export { mediaTypeOf, normaliseMediaUrl, readMediaUrl } from './media-url.ts'
export type { PostFacts } from './normalise-media.ts'
export { plainText } from './normalise-media.ts'
