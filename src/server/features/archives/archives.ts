/** The functions and types of archives that other features may use. */
export { safeFileName, safeName } from './export/archive-names.ts'
export type { ArchiveEntry } from './zip/archive.ts'
export { zipAnswer } from './zip/zip-answer.ts'
