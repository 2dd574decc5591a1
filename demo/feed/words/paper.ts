/** Words for the titles of drawings, prints and glass. */
import type { Words } from '../../painting/repertoire.ts'

export const papercut: Words<'papercut'> = {
  subjects: [
    'Cut paper',
    'Eleven sheets',
    'Layers',
    'Scissors and patience',
    'Down through the page',
    'A hole with a view',
    'Paper relief',
    'Shadow box',
  ],
  moods: {
    ocean: ['ocean', 'the shallow end', 'atoll', 'by fathoms'],
    canyon: ['canyon', 'slot', 'red paper', 'heat'],
    forest: ['forest', 'moss', 'a valley from above', 'green on green'],
    night: ['night', 'the inside of evening', 'violet', 'moon well'],
  },
}

export const marbling: Words<'marbling'> = {
  subjects: [
    'Endpapers',
    'Ink on water',
    'Marbled',
    'Combed twice',
    'Floating colour',
    'One print only',
    'From the size bath',
    'Swirl',
  ],
  moods: {
    indigo: ['indigo', 'blue and bone', 'two blues', 'for a sea story'],
    rose: ['rose madder', 'pink and plum', 'for a novel', 'warm'],
    moss: ['moss', 'green and ochre', 'for a herbal', 'with gold'],
    ink: ['black ink', 'sumi', 'grey on grey', 'breath by breath'],
  },
}

export const contours: Words<'contours'> = {
  subjects: [
    'Map of nowhere',
    'Sheet 14',
    'Survey',
    'Contour interval ten',
    'Terra nova',
    'The unvisited coast',
    'Soundings',
    'An island, probably',
  ],
  moods: {
    atlas: ['from the atlas', 'first edition', 'in colour', 'with relief'],
    night: ['night chart', 'glowing', 'by instruments', 'radar'],
    paper: ['field copy', 'fine lines', 'on paper', 'unfinished'],
  },
}

export const chromatrope: Words<'chromatrope'> = {
  subjects: [
    'Chromatrope',
    'Two discs',
    'Turn the handle',
    'Lantern slide',
    'Hand-painted glass',
    'Rackwork',
    'Encore',
    'The last slide of the evening',
  ],
  moods: {
    spiral: ['spiral', 'inwards, outwards', 'No. 3', 'the one that hums'],
    petals: ['petals', 'in bloom', 'No. 7', 'daisy wheel'],
    lattice: ['lattice', 'woven light', 'No. 12', 'basket'],
    star: ['star', 'twelve points', 'No. 5', 'fireworks'],
  },
}
