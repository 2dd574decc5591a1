/**
 * The interface as the picture tools call it. The build gives them the part that is theirs
 * (vite.config.ts), and leaves it out of every other page.
 */
export { api as studioApi } from './api.ts'
