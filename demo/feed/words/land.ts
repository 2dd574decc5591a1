/** What pictures of open country are called. */
import type { Words } from '../../painting/repertoire.ts'

export const ridges: Words<'ridges'> = {
  subjects: [
    'The far hills',
    'Ridge after ridge',
    'Over the pass',
    'Seven ranges, counted twice',
    'The way the valley folds',
    'From the fire lookout',
    'Beyond the last village',
    'Pines along the edge',
  ],
  moods: {
    dawn: ['before anyone is up', 'first light', 'the cold side of morning', 'at sunrise'],
    dusk: ['last light', 'the sun just gone', 'after a hot day', 'on the way down'],
    haze: ['in summer haze', 'green behind green', 'a windless noon', 'after the rain'],
    night: ['under the moon', 'past midnight', 'walking home late', 'all the lights out'],
    storm: ['weather coming', 'an hour before the storm', 'a gap in the cloud', 'grey on grey'],
    autumn: ['the larches turning', 'October', 'smoke in the air', 'harvest light'],
  },
}

export const mesas: Words<'mesas'> = {
  subjects: [
    'Table mountains',
    'Two hundred million years',
    'The old river’s work',
    'Red country',
    'Butte',
    'What the sea left',
    'Highway with no number',
    'Strata',
  ],
  moods: {
    day: ['at noon', 'big sky', 'nothing moving', 'lizard weather'],
    dusk: ['on fire', 'the last hour', 'rust and wine', 'sundown'],
    dawn: ['at dawn', 'washed in pink', 'coffee on the tailgate', 'the first bird'],
    night: ['after dark', 'beneath the Milky Way', 'coyote hour', 'moonrise'],
  },
}

export const meadow: Words<'meadow'> = {
  subjects: [
    'In the fields',
    'Rows to the horizon',
    'Bees, mostly',
    'A mile of flowers',
    'Behind the farm',
    'The good year',
    'Up to the knees',
    'Field notes',
  ],
  moods: {
    lavender: ['lavender', 'you can smell it from the road', 'in July', 'mauve, all of it'],
    tulips: ['tulips', 'striped like a blanket', 'the last week of April', 'colours by the metre'],
  },
}
