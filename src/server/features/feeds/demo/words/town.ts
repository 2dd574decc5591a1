/** What pictures of towns, rooms and festivals are called. */
import type { Words } from './words.ts'

export const skyline: Words<'skyline'> = {
  subjects: [
    'The city from the water',
    'Windows',
    'Downtown',
    'Everyone still up',
    'Across the river',
    'Forty floors of lamps',
    'The late train home',
    'Harbour side',
  ],
  moods: {
    dusk: ['at dusk', 'the lamps coming on', 'rush hour', 'the sky not done yet'],
    night: ['at night', 'two in the morning', 'with moon', 'nobody counting'],
    rain: ['in rain', 'a wet Tuesday', 'umbrella weather', 'blurred'],
    dawn: ['at dawn', 'before the traffic', 'the first tram', 'pale glass'],
  },
}

export const balloons: Words<'balloons'> = {
  subjects: [
    'Balloons',
    'Going up',
    'Basket and flame',
    'No engine, no hurry',
    'The whole fleet',
    'Adrift',
    'Lighter than breakfast',
    'Silk',
  ],
  moods: {
    dawn: ['at dawn', 'mist in the valley', 'the early start', 'first ascent'],
    day: ['a fine morning', 'blue above', 'wherever the wind goes', 'festival day'],
    dusk: ['at dusk', 'the last flight', 'coming down slowly', 'evening air'],
  },
}

export const lanterns: Words<'lanterns'> = {
  subjects: [
    'Let go',
    'Lanterns',
    'A wish each',
    'Paper and flame',
    'The festival',
    'Over the water',
    'Hundreds',
    'Small lights, rising',
  ],
  moods: {
    amber: ['on the longest night', 'warm as toast', 'amber', 'until they were stars'],
    rose: ['rose and plum', 'the night of the wedding', 'in pink', 'reflected'],
    jade: ['green water', 'jade', 'at the temple lake', 'the eighth moon'],
  },
}

export const bokeh: Words<'bokeh'> = {
  subjects: [
    'Out of focus',
    'Lights',
    'Without my glasses',
    'Wide open',
    'Street, unfocused',
    'f/1.4',
    'Circles',
    'Somewhere in town',
  ],
  moods: {
    warm: ['warm', 'amber hour', 'candles, maybe', 'the old bulbs'],
    cold: ['cold', 'winter street', 'blue', 'after the rain'],
    festive: ['the fair', 'all colours', 'market week', 'strings of them'],
  },
}

export const rainglass: Words<'rainglass'> = {
  subjects: [
    'Rain on the window',
    'From inside',
    'Drops',
    'Every drop a lens',
    'The 38 bus',
    'Condensation',
    'Staying in',
    'Waiting it out',
  ],
  moods: {
    night: ['at night', 'street lamps', 'the late shift', 'traffic below'],
    neon: ['neon', 'over the arcade', 'pink and teal', 'noodle bar opposite'],
    dusk: ['at dusk', 'the lamps just lit', 'tea going cold', 'an early evening'],
  },
}

export const stairs: Words<'stairs'> = {
  subjects: [
    'Steps',
    'The courtyard',
    'Nobody home',
    'Up to the roof',
    'A door, a window',
    'Plaster and sun',
    'What was left in the yard',
    'White wall',
  ],
  moods: {
    noon: ['at noon', 'hard light', 'siesta', 'the sun overhead'],
    evening: ['late sun', 'six o’clock shadows', 'the wall still warm', 'before supper'],
    moonlight: ['by moonlight', 'the cool hours', 'everyone asleep', 'blue plaster'],
  },
}

export const colonnade: Words<'colonnade'> = {
  subjects: [
    'Colonnade',
    'The long walk',
    'Arch after arch',
    'Cloister',
    'Stripes of light',
    'To the end and back',
    'Stone, mostly shade',
    'The north arcade',
  ],
  moods: {
    morning: ['in the morning', 'before the visitors', 'swept floors', 'a bell somewhere'],
    evening: ['towards evening', 'the sun let in', 'amber', 'vespers'],
    moonlight: ['by moonlight', 'the night round', 'echo', 'locked gates'],
  },
}

export const stilllife: Words<'stilllife'> = {
  subjects: [
    'Still life',
    'Fruit and a bottle',
    'On the table',
    'What the market had',
    'Two pears',
    'Bowl',
    'Kitchen corner',
    'Before lunch',
  ],
  moods: {
    north: ['north light', 'a grey day', 'after the old masters', 'nothing moved'],
    evening: ['evening sun', 'the lamp not yet lit', 'warm wall', 'late in the year'],
    candle: ['by candlelight', 'in the dark', 'one flame', 'midnight'],
  },
}
