/**
 * The interface as the pages about the way into an account call it. The build gives them the part that
 * is theirs (vite.config.ts), and leaves it out of every other page.
 */
export { api as securityApi } from './api.ts'
