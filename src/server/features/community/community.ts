/** The functions that other features may use. */
export { findOpening } from './save-queries.ts'
export { savePublished } from './saving.ts'
export type { CommunityCopy } from './media-copy.ts'
export { abandonCommunityCopy, makeCommunityCopy } from './media-copy.ts'
export {
  findCommunityRecord,
  findPublished,
  insertCommunityRecord,
  updateCommunityRecord,
} from './media-queries.ts'
