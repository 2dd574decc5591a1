/** What pictures of water, weather and space are called. */
import type { Words } from '../../painting/repertoire.ts'

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

export const cloudsea: Words<'cloudsea'> = {
  subjects: [
    'Above it all',
    'A sea of cloud',
    'Islands',
    'Summit, waiting',
    'The valley is under there',
    'Inversion',
    'White water',
    'Top of the weather',
  ],
  moods: {
    dawn: ['at first light', 'worth the climb', 'sunrise', 'warm for a minute'],
    dusk: ['at sundown', 'rose and ash', 'one more before the descent', 'all the west'],
    day: ['at noon', 'the blue above', 'blinding', 'like a second ground'],
    moonlit: ['by moonlight', 'awake in the hut', 'the silent version', 'cold and bright'],
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
