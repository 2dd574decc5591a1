/** What other features may ask of sharing. */
export type { LinkPreview } from './link-preview.ts'
export { previewLink } from './link-preview.ts'
