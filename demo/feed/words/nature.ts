/** Words for the titles of pictures of hills, water, weather and space. */
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

export const lake: Words<'lake'> = {
  subjects: [
    'The lake without a name',
    'Twice the mountain',
    'Still water',
    'The far shore',
    'Where the ferry used to land',
    'North end of the lake',
    'Snow line',
    'Held breath',
  ],
  moods: {
    dawn: ['at daybreak', 'mist lifting', 'rose on the summits', 'too early to speak'],
    noon: ['at noon', 'not a breath of wind', 'high summer', 'clear to the bottom'],
    dusk: ['the peaks still lit', 'evening', 'the day going out', 'violet hour'],
    night: ['by starlight', 'new moon', 'two skies', 'the long exposure'],
  },
}

export const sea: Words<'sea'> = {
  subjects: [
    'The open sea',
    'A road of light',
    'Offing',
    'Off the cape',
    'Slow swell',
    'Nothing but water',
    'The evening boat',
    'Horizon, unbroken',
  ],
  moods: {
    sunrise: ['at sunrise', 'the morning watch', 'calm after all', 'six minutes past five'],
    sunset: ['at sunset', 'the whole west burning', 'the sun going under', 'last ferry'],
    moonlit: ['by moonlight', 'the night crossing', 'silver and ink', 'full moon'],
    storm: ['before the gale', 'force seven', 'the glass falling', 'a lull'],
  },
}

export const aurora: Words<'aurora'> = {
  subjects: [
    'Curtains',
    'The sky moved',
    'Solar wind',
    'Above the treeline',
    'What the night did',
    'Lights over the bay',
    'Silent fire',
    'Sixty-nine degrees north',
  ],
  moods: {
    green: ['in green', 'all night long', 'minus twenty', 'nobody slept'],
    violet: ['in violet', 'the rare colours', 'for ten minutes', 'with a purple hem'],
    crimson: [
      'in red',
      'once in eleven years',
      'the top of it crimson',
      'like a distant city burning',
    ],
  },
}

export const planets: Words<'planets'> = {
  subjects: [
    'Arrival',
    'A world with nobody in it',
    'Approach',
    'Postcard from far out',
    'Terminator line',
    'Low orbit',
    'Day side, night side',
    'Third from somewhere',
  ],
  moods: {
    giant: ['the great storm', 'rings and all', 'a gas giant', 'bands'],
    ocean: ['mostly water', 'blue', 'weather below', 'breathable, perhaps'],
    ember: ['still cooling', 'dust and iron', 'no rain for an age', 'the hot one'],
  },
}

export const moon: Words<'moon'> = {
  subjects: [
    'The moon',
    'Sea of something',
    'Craters, counted',
    'Our neighbour',
    'Through the small telescope',
    'Lunar morning',
    'Rim and shadow',
    'One light second away',
  ],
  moods: {
    silver: ['in silver', 'a clear night', 'very close', 'cold light'],
    harvest: ['harvest moon', 'low and orange', 'September', 'over the barn'],
    blood: ['in eclipse', 'blood moon', 'the earth’s own shadow', 'at totality'],
    blue: ['blue', 'the second this month', 'through thin cloud', 'in winter'],
  },
}

export const galaxy: Words<'galaxy'> = {
  subjects: [
    'Deep field',
    'Old light',
    'Island universe',
    'Where stars are made',
    'Dust lanes',
    'Nineteen hours of exposure',
    'Far away and long ago',
    'Unresolved',
  ],
  moods: {
    spiral: ['a spiral', 'turning slowly', 'two arms', 'edge of the cluster'],
    nebula: ['gas and dust', 'the nursery', 'a nebula', 'in false colour'],
  },
}

export const jellyfish: Words<'jellyfish'> = {
  subjects: [
    'Drifters',
    'Medusa',
    'No bones, no hurry',
    'The bell and the threads',
    'Forty fathoms',
    'Slow pulse',
    'Moon jellies',
    'Lit from within',
  ],
  moods: {
    blue: ['in the blue', 'where light ends', 'open ocean', 'rising'],
    violet: ['in violet', 'the deep tank', 'at the aquarium', 'after hours'],
    green: ['in the kelp', 'green water', 'plankton season', 'the harbour at night'],
  },
}
