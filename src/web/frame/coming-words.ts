/** The texts for a page that is loading or failed to load. */
import { catalogue } from '../words/catalogue.ts'

export const words = catalogue('coming', {
  loading: 'Loading',
  loadingPage: 'Loading the page',
  broken: 'This slide is stuck.',
  brokenReason: {
    noNetwork: 'This device has no network. The page is loaded when it is back.',
    noServer: 'The site does not answer. Try again in a moment.',
    reached: 'The site has changed since you opened it.',
  },
  loadAnew: 'Load it anew',
  backToSessions: 'Back to your sessions',
})
