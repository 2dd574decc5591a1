/** The functions that other features may use. */
export type { CopiedMedia, CopyFault } from './copy-media.ts'
export { copyCover, copyMedia, CopyRefused } from './copy-media.ts'
export { storeDisplayable } from './displayable-file.ts'
