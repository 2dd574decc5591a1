/** The functions that other features may use. */
export { displayFile, refuseUnshowable } from './enrich/display-file.ts'
export type { StoredMedia } from './enrich/enrich-queries.ts'
export { findMedia } from './enrich/enrich-queries.ts'
export { enrichNow } from './enrich/enrichment-jobs.ts'
export { examineMedia } from './enrich/examine-media.ts'
export type { FillingFile } from './list/filling-queries.ts'
export { listForFilling, listOwnTags } from './list/filling-queries.ts'
export { readFileJson } from './list/list.ts'
export { reconcileVault, recordOfPath } from './list/reconciliation.ts'
export type { MediaType } from './media-files.ts'
export {
  mediaTypeOf,
  ownFile,
  ownFilesOf,
  sessionFolder,
  thumbnailKey,
  thumbnailWidths,
  uploadFolders,
  userFolder,
} from './media-files.ts'
export type { MediaRecord } from './queries.ts'
export {
  deleteRecord,
  findOwnById,
  findOwnDetails,
  lockOwnMedia,
  lockRecord,
  setShareToCommunity,
} from './queries.ts'
export type { VaultSlide } from './slides-source.ts'
export {
  findOwnMediaAt,
  findShowableSlides,
  findVaultSlides,
  lockVaultMedia,
  lockExistingVaultMedia,
} from './slides-source.ts'
export type { Kept, SavedSource } from './upload/saved-files.ts'
export {
  findSavedFile,
  findSavedComposition,
  nameInVault,
  newVaultFile,
} from './upload/saved-files.ts'
export { nameRestored, restoredFileAddress } from './upload/restored-file.ts'
