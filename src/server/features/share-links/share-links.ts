/** What other features may ask of share-links. */
export { deleteShareCode, ensureShareCode, findSharedMedia } from './media-link-queries.ts'
export type { Share } from './queries.ts'
export { findShare, findShareOfSession, ownerNameOf, upsertShare } from './queries.ts'
export { findOpeningShare, findOpenToAnyone, grantOfShare, openShare } from './session-links.ts'
