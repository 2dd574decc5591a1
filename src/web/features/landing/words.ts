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
  fills: 'Fills itself from feeds',
  fillsText:
    'Enter a few feeds, and the session is filled with up to 25 pictures, alternating between the feeds.',
  takes: 'Your own photos and films',
  takesText:
    'Upload pictures and films, or import them from elsewhere. They stay private until you share them.',
  captions: 'Captions',
  captionsText: 'Write captions yourself, or let an AI narrator describe the pictures.',
  plays: 'Transitions and pace',
  playsText:
    'Dissolve, slide or zoom, slow or fast, on a phone or on the wall. Share it with a link.',

  interface: 'API',
  source: 'Source',
  licence: 'Lanternist {version}, open source under the MIT licence',
})
