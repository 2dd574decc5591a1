/** The texts of components that are used everywhere. */
import { catalogue } from '../words/catalogue.ts'

export const words = catalogue('ui', {
  close: 'Close',
  dismiss: 'Dismiss',
  copied: 'Copied',
  copyLink: 'Copy the link',
  remove: 'Remove {word}',
  tryAgain: 'Try again',
  showMore: 'Show more',
  waitsForNetwork: 'This device has no network. The page loads as soon as it has one.',
  earlierResults: 'This device has no network. These are the results from before.',
  signIn: 'Sign in',
  createAccount: 'Create account',
  signInInNewTab: 'Sign in in a new tab',
  show: 'Show',
  hide: 'Hide',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  saveAs: 'Save as {format}',
  film: 'Film',
  animation: 'Animation',
  range: {
    shortest: 'Shortest, in {unit}',
    longest: 'Longest, in {unit}',
    to: 'to',
    atLeast: '{label}, at least',
    atMost: '{label}, at most',
    seconds: 'seconds',
  },
})
