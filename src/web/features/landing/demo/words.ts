/**
 * The texts of the demo. They are apart from the texts of the front page, which the full-screen demo does not
 * need.
 */
import { catalogue } from '../../../words/catalogue.ts'

export const words = catalogue('demo', {
  name: 'Demo',
  title: 'Lamps and other lights',
  byline: 'by Lanternist',
  captions: {
    firstLight: 'The hills keep the night a little longer than the sky does.',
    eveningBay: 'Nobody is in a hurry on this side of the bay.',
    lighthouse: 'One lamp, and every ship knows where the land begins.',
    windows: 'Count the windows that are still lit. Somebody is reading behind each.',
    lanterns: 'Let them go, one after the other, and look up.',
  },
})
