/** Words for the titles of pictures of towns, rooms and festivals. */
import type { Words } from '../../painting/repertoire.ts'

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
