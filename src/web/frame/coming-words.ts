/** What is said until a page is there, or where it cannot come. */
import { catalogue } from '../words/catalogue.ts'

export const words = catalogue('coming', {
  loading: 'Loading',
  loadingPage: 'Loading the page',
  broken: 'This slide is stuck.',
  brokenReason: 'There is no network, or the site has changed since you opened it.',
  loadAnew: 'Load it anew',
  backToSessions: 'Back to your sessions',
})
