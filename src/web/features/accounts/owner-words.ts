/** What is said where work waits for its owner to be signed in again. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('owner', {
  signInToSave: '{signedOut} Sign in to save.',
  someoneElse: 'Someone else is signed in now. Sign in as {name} again to save.',
  someoneElseUnnamed: 'Someone else is signed in now. Sign in as yourself again to save.',
})
