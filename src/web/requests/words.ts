/** Messages about failed requests. */
import { catalogue } from '../words/catalogue.ts'

export const words = catalogue('requests', {
  noNetwork: 'This device has no network. Try again when it is back online.',
  unreachable: 'The server cannot be reached. Try again in a moment.',
  tooManyTries: 'Too many attempts. Try again in {wait}.',
  askedTooOften: 'Too many requests. Try again in {wait}.',
  wait: {
    moment: 'a moment',
    seconds: { one: '1 second', other: '{count} seconds' },
    minutes: { one: '1 minute', other: '{count} minutes' },
  },
  tooFewCredits: {
    one: 'This costs 1 credit and you have {current}.',
    other: 'This costs {count} credits and you have {current}.',
  },
  /** The beginning of every message that asks the user to sign in again. A sign-in link is beside it. */
  signedOut: 'You are signed out.',
  signInToGoOn: '{signedOut} Sign in to continue.',
  tryAgainSoon: '{failure} Try again in a moment.',
  downloadsUnderWay: 'Other downloads of yours are still under way',
  noDownload: 'The download could not start',
  downloadGone: 'This can no longer be downloaded',
})
