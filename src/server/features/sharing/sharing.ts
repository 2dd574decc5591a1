/** The functions that other features may use. */
export type { LinkAddress } from './link-addresses.ts'
export { oembedAddress, parseLinkPath, sharedPath, siteCardPath } from './link-addresses.ts'
export type { OpenShow } from './link-preview.ts'
export { previewLink } from './link-preview.ts'
export { coverOf, pictureOf } from './show-picture.ts'
export type { ShowPicture } from './show-picture.ts'
