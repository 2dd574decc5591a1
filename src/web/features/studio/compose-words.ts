/** The texts of compositions and of changing their layout. */
import { catalogue } from '../../words/catalogue.ts'

export const composeWords = catalogue('studio-compose', {
  first: 'First picture',
  second: 'Second picture',
  swap: 'Swap the pictures',
  layout: 'Layout',
  layouts: { auto: 'Auto', side: 'Side', stack: 'Stack' },
  autoSide: 'Auto puts these two side by side.',
  autoStack: 'Auto puts these two above each other.',
  chooseTwo: 'Choose two pictures, and they lie here as they will be.',
  made: 'Preview, {width} × {height}. What you see is what is made.',
  previewLabel: 'Preview of the composition',
  wrongSize: 'Each side must have {least} to {most} pixels.',
  compose: 'Compose',
  remix: 'Remix',
  remixTitle: 'Lay it out anew',
  remixHelp: 'The same two pictures, otherwise. The composition that you have stays.',
  swapped: 'The second picture first',
  alreadySo: 'It already has this layout.',
})
