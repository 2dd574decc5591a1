/** What other features may ask of trash. */
export { moveToTrash } from './moving.ts'
