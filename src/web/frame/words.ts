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
  themes: { system: 'As the system', dark: 'Dark', light: 'Light' },
  language: 'Language',
  nothingHere: 'Nothing here',
  nothingOnSlide: 'Nothing on this slide.',
  nothingReason: 'The address leads nowhere, or what it led to has gone.',
  toStart: 'Go to the start',
})
