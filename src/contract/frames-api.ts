/**
 * The interface as frames call it, and the dialog that makes them. The build gives them the part that
 * is theirs (vite.config.ts), and leaves it out of every other page.
 */
export { api as framesApi } from './api.ts'
