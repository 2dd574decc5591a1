/** The functions of imports that other features may use. */
export { importFromElsewhere } from './import-session.ts'
export { promiseCopies } from './jobs.ts'
