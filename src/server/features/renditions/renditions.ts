/** The functions that other features may use. */
export { renditionFields, renditionOf } from './queries.ts'
export { promiseRenditions } from './rendition-jobs.ts'
