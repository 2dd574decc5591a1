/** The functions that other features may use. */
export { moveToTrash } from './moving.ts'
