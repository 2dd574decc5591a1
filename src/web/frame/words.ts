/** The texts of the frame around every page. */
import { catalogue } from '../words/catalogue.ts'

export const words = catalogue('frame', {
  main: 'Main',
  skip: 'Skip to the content',
  sessions: 'Sessions',
  community: 'Community',
  studio: 'Studio',
  vault: 'Vault',
  newSession: 'New',
  credits: 'credits',
  creditsLeft: { one: '{count} credit', other: '{count} credits' },
  accountMenu: 'Account menu',
  account: 'Account',
  creditsPage: 'Credits',
  notices: 'Notices',
  newNotices: { one: '{count} new notice', other: '{count} new notices' },
  administration: 'Administration',
  signOut: 'Sign out',
  theme: 'Theme',
  themes: { system: 'Same as the system', dark: 'Dark', light: 'Light' },
  language: 'Language',
  nothingHere: 'Not found',
  nothingOnSlide: 'Page not found',
  nothingReason: 'The address is wrong, or the page no longer exists.',
  toStart: 'Go to the home page',
})
