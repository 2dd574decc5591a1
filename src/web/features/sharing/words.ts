/** The texts of the pages of a link. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('sharing', {
  sharedSession: 'Shared session',
  sharedPicture: 'Shared picture',
  opening: 'Opening the link',
  showsYou: '{owner} shows you',
  ownerAndDay: '{owner}, {day}',
  makeYourOwn: 'Make your own',
  onlyFirst: {
    one: 'Without an account the first slide plays.',
    other: 'Without an account the first {count} slides play.',
  },
  afterSigningIn: 'Sign in to play it.',
  firstSlides: 'The first slides',

  hasPassword: 'This link has a password',
  senderKnows: 'Ask the person who sent you the link.',
  wrongPassword: 'Wrong password.',
  changedPassword: 'The owner has changed the password. Ask the person who sent you the link.',
  password: 'Password',
  enterPassword: 'Enter the password of the link.',
  open: 'Open',
  download: 'Download',
})
