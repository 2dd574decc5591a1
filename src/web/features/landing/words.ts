/** The words of the front page. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('landing', {
  sceneAlt: 'A sailing boat on a bay in the evening',
  sceneTitle: 'Evening on the bay',
  headline: 'Pictures, in good\u00A0time.',
  introduction:
    'Slideshows that fill themselves, with words on the pictures, played at the pace that you choose. From a server that you or a friend of yours runs.',
  unknownVisitor: 'The server does not say whether you are signed in.',
  askAgain: 'Ask again',
  playDemo: 'Play a demo',
  createAccount: 'Create account',

  whatItDoes: 'What it does',
  fills: 'Fills itself',
  fillsText: 'Name a few communities, and up to 25 of their pictures come in turns.',
  takes: 'Takes your own',
  takesText:
    'Upload pictures and films, or bring them along from elsewhere. They stay private until you share them.',
  captions: 'Puts words to them',
  captionsText: 'Write captions yourself, or let a narrator say what is to be seen.',
  plays: 'Plays in time',
  playsText:
    'Dissolve, slide or zoom, slow or fast, on a phone or on the wall. Share it by a link.',

  interface: 'Interface',
  source: 'Source',
  licence: 'Lanternist {version}, open source under the MIT licence',
})
