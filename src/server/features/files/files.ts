/** The functions that other features may use. */
export { sendFile } from './file-routes.ts'
export { grantOf, grantOpensFile } from './grant-queries.ts'
export { grantedJson, grantedSizes, grantedView, ownersAddress, ownersAddresses } from './grants.ts'
export { claimOf, findViewer } from './media-request.ts'
export type { MediaSource, SourceFault } from './media-source.ts'
export { openMediaSource, ownFileAt, pathOnThisSite, SourceRefused } from './media-source.ts'
export { peek } from './peeked-content.ts'
export { publicName, withPublicNames } from './private-names.ts'
export { readPictureSource } from './picture-source.ts'
export { recordCopies, recordOrigins, filesOf, originsOf } from './provenance.ts'
export type { FileCopy } from './unclaimed-files.ts'
export {
  abandonFiles,
  renewAnnouncement,
  announceFile,
  keepUntilClaimed,
  claimFiles,
  copyAllUnclaimed,
  copyUnclaimed,
  measureCopies,
  moveAnnounced,
  removeFiles,
  storeUnclaimed,
  writeAnnounced,
} from './unclaimed-files.ts'
export { lockUnclaimed } from './queries.ts'
