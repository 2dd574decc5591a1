/** The texts for a page that is loading or failed to load. */
import { catalogue } from '../words/catalogue.ts'

export const words = catalogue('pageLoading', {
  loading: 'Loading',
  loadingPage: 'Loading the page',
  broken: 'Something went wrong.',
  brokenReason: {
    noNetwork: 'This device has no network. The page is loaded when it is back.',
    noServer: 'The site does not answer. Try again in a moment.',
    reached: 'The site was updated since you opened it. Reload the page.',
  },
  reload: 'Reload',
  backToSessions: 'Back to your sessions',
})
