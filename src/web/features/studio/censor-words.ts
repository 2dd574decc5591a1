/** The texts of covering parts of a picture. */
import { catalogue } from '../../words/catalogue.ts'

export const censorWords = catalogue('studio-censor', {
  picture: 'Picture',
  chooseOne: 'Choose a picture, then draw over the parts to cover.',
  mode: 'Cover with',
  modes: { blur: 'Blur', pixelate: 'Pixelate', bar: 'Bar' },
  strength: 'Strength',
  strengthOf: '{strength} of 10',
  addRegion: 'Add a region',
  howTo:
    'Draw over the picture, or add a region and move it: the arrow keys move it, with Shift they change its size, Delete removes it.',
  regionNumber: 'Region {number}',
  regionPosition: 'Region {number} of {total}: {left} % from the left, {top} % from the top',
  left: 'From the left',
  top: 'From the top',
  width: 'Width',
  height: 'Height',
  percent: '{value} %',
  remove: 'Remove this region',
  full: {
    one: 'You can add at most {count} region.',
    other: 'You can add at most {count} regions.',
  },
  made: 'Preview. The result does not contain the covered parts: they cannot be recovered.',
  farAway:
    'This picture is on another site, so the browser cannot read it. Regions are shown as bars here; the result uses your choice.',
  previewLabel: 'Preview of the covered picture',
  censor: 'Cover it',
})
