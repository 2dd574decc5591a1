/** The functions that other features may use. */
export {
  ensureShareCode,
  findSharedMedia,
  findStoppedMedia,
  stopShareCode,
} from './media-link-queries.ts'
export type { Share } from './queries.ts'
export { findShareOfSession, ownerNameOf, upsertShare } from './queries.ts'
export {
  admitByCode,
  findOpeningShare,
  findOpenToAnyone,
  grantOfShare,
  openShare,
  requireLiveShare,
} from './session-links.ts'
