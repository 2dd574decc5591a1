/** What pictures of open country are called. */
import type { Words } from './words.ts'

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

export const forest: Words<'forest'> = {
  subjects: [
    'The old wood',
    'Between the trunks',
    'A path of sorts',
    'Tall company',
    'Where the deer cross',
    'The clearing',
    'Shafts of light',
    'Under the crowns',
  ],
  moods: {
    mist: ['in mist', 'everything dripping', 'quiet as wool', 'November morning'],
    autumn: ['all gold', 'leaves coming down', 'late October', 'the copper weeks'],
    night: ['at night', 'owl hours', 'blue and bluer', 'moon behind the branches'],
    spring: ['new leaves', 'May', 'so much green', 'after the thaw'],
  },
}

export const dunes: Words<'dunes'> = {
  subjects: [
    'Sand sea',
    'The long crest',
    'Wind writing',
    'No footprints',
    'A lee slope',
    'Between two wells',
    'The shape of wind',
    'Camel days',
  ],
  moods: {
    day: ['at midday', 'white heat', 'the sky enormous', 'no shade'],
    dusk: ['at dusk', 'copper and violet', 'shadows like water', 'the sand cooling'],
    dawn: ['at dawn', 'pale and cold', 'before the heat', 'the first hour'],
    night: ['under stars', 'by moonlight', 'the silent quarter', 'blue sand'],
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

export const snowfield: Words<'snowfield'> = {
  subjects: [
    'Fresh snow',
    'The firs hold still',
    'Cabin',
    'No tracks but mine',
    'Deep winter',
    'The white clearing',
    'Snowed in',
    'Down to the road',
  ],
  moods: {
    day: ['blue shadows', 'a bright cold day', 'the sun for company', 'in January'],
    bluehour: ['the blue hour', 'one lamp lit', 'four in the afternoon', 'getting colder'],
    dusk: ['at dusk', 'pink on white', 'the short day over', 'firewood stacked'],
    snowing: ['still falling', 'no sound at all', 'the road gone', 'since last night'],
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
    poppies: ['poppies', 'red on green', 'early June', 'the wind in them'],
    tulips: ['tulips', 'striped like a blanket', 'the last week of April', 'colours by the metre'],
    rape: ['yellow as far as it goes', 'in May', 'almost too bright', 'rapeseed'],
  },
}

export const blossom: Words<'blossom'> = {
  subjects: [
    'One branch',
    'Over the wall',
    'The old tree',
    'Petals',
    'Against the sky',
    'From the bench',
    'A week, no more',
    'Bough',
  ],
  moods: {
    spring: ['in blossom', 'cherry', 'the first warm day', 'pink weather'],
    autumn: ['maple', 'turning', 'all at once', 'red and orange'],
    winter: ['plum in snow', 'frost', 'the brave one', 'flowering anyway'],
  },
}
