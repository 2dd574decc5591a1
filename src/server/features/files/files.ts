/** What other features may ask of files. */
export { isGiven, slideIsForAdults } from './grant-queries.ts'
export { grantedJson, grantedView, grantOf, ownersAddress, ownersAddresses } from './grants.ts'
export { claimOf, findViewer } from './media-request.ts'
export type { MediaSource, SourceFault } from './media-source.ts'
export { openMediaSource, ownFileAt, pathOnThisSite, SourceRefused } from './media-source.ts'
export { peek } from './peeked-content.ts'
export { readPictureSource } from './picture-source.ts'
export { recordCopies, recordOrigins, filesOf, originsOf } from './provenance.ts'
export type { FileCopy } from './unclaimed-files.ts'
export {
  abandonFiles,
  announcedAnew,
  announceFile,
  claimFiles,
  copyAllUnclaimed,
  copyUnclaimed,
  measureCopies,
  moveAnnounced,
  removeFiles,
  storeUnclaimed,
  writeAnnounced,
} from './unclaimed-files.ts'
export { holdUnclaimed } from './queries.ts'
