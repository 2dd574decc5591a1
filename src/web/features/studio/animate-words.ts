/** The texts of animations. */
import { catalogue } from '../../words/catalogue.ts'

export const animateWords = catalogue('studio-animate', {
  pictures: 'Pictures',
  addPictures: 'Add pictures',
  howMany: '{count} of {max}',
  atLeastTwo: 'Choose at least two pictures to see a preview here.',
  pictureNumber: 'Picture {number}: {name}',
  earlier: 'Move picture {number} earlier',
  later: 'Move picture {number} later',
  remove: 'Remove picture {number}',
  effect: 'Effect',
  effects: { cut: 'Cut', crossfade: 'Dissolve', zoom: 'Zoom' },
  pace: 'Each picture stays',
  milliseconds: '{ms} ms',
  size: 'Size',
  sizePixels: '{size} × {size}',
  format: 'Format',
  formats: { gif: 'GIF', webp: 'WebP' },
  text: 'Text',
  textHelp: 'The preview uses a slightly different font.',
  facts: 'Preview: {frames} frames, {seconds} s a round.',
  previewLabel: 'Preview of the animation',
  play: 'Play the preview',
  stop: 'Stop the preview',
  animate: 'Animate',
})
