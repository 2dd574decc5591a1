/** The texts of unsaved work whose owner is not signed in. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('owner', {
  signInToSave: '{signedOut} Sign in to save.',
  someoneElse: 'Someone else is signed in now. Sign in as {name} again to save.',
  someoneElseUnnamed: 'Someone else is signed in now. Sign in as yourself again to save.',
})
