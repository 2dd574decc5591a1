/** What other features may ask of community. */
export type { CommunityCopy } from './media-copy.ts'
export { abandonCommunityCopy, makeCommunityCopy } from './media-copy.ts'
export {
  findCommunityRecord,
  insertCommunityRecord,
  updateCommunityRecord,
} from './media-queries.ts'
