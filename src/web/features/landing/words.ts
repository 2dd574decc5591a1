/** The texts of the front page. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('landing', {
  sceneAlt:
    'A slideshow: a sailing boat on a bay in the evening, a lighthouse, hills at first light',
  scenes: { bay: 'Evening on the bay', lighthouse: 'The lighthouse', firstLight: 'First light' },
  stopPictures: 'Pause the pictures',
  movePictures: 'Play the pictures',
  headline: 'Your photos and feeds as a slideshow on any screen, from your own\u00A0server.',
  unknownVisitor: 'The site cannot check whether you are signed in.',
  askAgain: 'Try again',
  playDemo: 'Try it: play the demo',

  whatItDoes: 'What it does',
  fills: 'Fills itself',
  fillsText: 'Name a few feeds, and up to 25 of their pictures come in turns.',
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
