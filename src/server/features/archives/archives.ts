/** What other features may ask of archives. */
export { safeFileName, safeName } from './export/archive-names.ts'
export type { ArchiveEntry } from './zip/archive.ts'
export { zipAnswer } from './zip/zip-answer.ts'
