/** What other features may ask of moderation. */
export {
  isBlockedHash,
  isBlockedPicture,
  refuseBlockedFile,
  refuseBlockedHashes,
  refuseBlockedPicture,
} from './blocked-pictures.ts'
export { refuseUnshareable } from './sharing-rules.ts'
