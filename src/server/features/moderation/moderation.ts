/** The functions that other features may use. */
export {
  isBlockedHash,
  isBlockedPicture,
  refuseBlockedFile,
  refuseBlockedHashes,
  refuseBlockedPicture,
  refuseUnshareable,
} from './blocked-pictures.ts'
export { notify } from './notice-queries.ts'
export { forgetReportedOwner } from './report-queries.ts'
