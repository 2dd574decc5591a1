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
  chooseTwo: 'Choose two pictures to see a preview here.',
  made: 'Preview, {width} × {height}. The result looks the same.',
  previewLabel: 'Preview of the composition',
  wrongSize: 'Each side must have {min} to {max} pixels.',
  compose: 'Compose',
  remix: 'Remix',
  remixTitle: 'Change the layout',
  remixHelp: 'The same two pictures in another layout. Your existing composition stays.',
  swapped: 'The second picture first',
  alreadySo: 'It already has this layout.',
})
