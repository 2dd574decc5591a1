/** What other features may ask of renditions. */
export { renditionFields, renditionOf } from './queries.ts'
export { promiseRenditions } from './rendition-jobs.ts'
