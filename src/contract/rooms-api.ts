/**
 * The interface as the pages of rooms call it. The build gives them the part that is theirs
 * (vite.config.ts), and leaves it out of every other page.
 */
export { api as roomsApi } from './api.ts'
