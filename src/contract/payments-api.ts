/**
 * The interface as the pages of payments call it. The build gives them the part that is theirs
 * (vite.config.ts), and leaves it out of every other page.
 */
export { api as paymentsApi } from './api.ts'
