/** What other features may ask of imports. */
export { importFromElsewhere } from './import-session.ts'
export { promiseCopies } from './jobs.ts'
