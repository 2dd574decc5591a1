/**
 * The interface as the editor alone calls it. The build gives it the part that is its own
 * (vite.config.ts), and leaves it out of every other page.
 */
export { api as editorApi } from './api.ts'
