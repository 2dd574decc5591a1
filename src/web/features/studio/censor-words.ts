/** The texts of covering parts of a picture. */
import { catalogue } from '../../words/catalogue.ts'

export const censorWords = catalogue('studio-censor', {
  picture: 'Picture',
  chooseOne: 'Choose a picture, then draw over what nobody should see.',
  mode: 'Cover with',
  modes: { blur: 'Blur', pixelate: 'Squares', bar: 'Bar' },
  strength: 'Strength',
  strengthOf: '{strength} of 10',
  addRegion: 'Add a region',
  howTo:
    'Draw over the picture, or add a region and move it: the arrow keys move it, with Shift they change its size, Delete removes it.',
  regionNumber: 'Region {number}',
  regionPlace: 'Region {number} of {total}: {left} % from the left, {top} % from the top',
  left: 'From the left',
  top: 'From the top',
  width: 'Width',
  height: 'Height',
  percent: '{value} %',
  remove: 'Remove this region',
  full: { one: 'There is room for {count} region.', other: 'There is room for {count} regions.' },
  made: 'Preview. What is covered is not in the result: nobody can bring it back.',
  farAway:
    'This picture lies on another site, so the browser may not look into it. Regions are shown as bars here; the result has what you chose.',
  previewLabel: 'Preview of the covered picture',
  censor: 'Cover it',
})
