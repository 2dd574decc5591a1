/** What other features may ask of intake. */
export type { CopiedMedia, CopyFault } from './copy-media.ts'
export { copyCover, copyMedia, CopyRefused } from './copy-media.ts'
export { storeDisplayable } from './displayable-file.ts'
