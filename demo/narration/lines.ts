/**
 * The sentences of the demo's narrator: remarks on the look of a picture, and the invitations of each voice.
 */
import type { Voice } from '../../src/server/features/captions/provider/voices.ts'
import type { Look } from './look.ts'

/** Sentences that are true of the picture, by topic. */
export type Remarks = Readonly<Record<'colour' | 'light' | 'air' | 'form', readonly string[]>>

export function remarksOn(look: Look): Remarks {
  return {
    colour: onColour(look),
    light: onLight(look),
    air: [...contrasts[look.contrast], ...warmths[look.warmth]],
    form: [...details[look.detail], ...shapes[look.shape]],
  }
}

function onColour({ main, accent, above, below, light }: Look): string[] {
  const pair = [
    `${capital(main)}, and a little ${accent} where you least expect it.`,
    `${capital(main)} does the talking; ${accent} answers.`,
    `Somewhere between ${main} and ${accent}, it holds still.`,
    `The ${accent} would be nothing without all that ${main}.`,
    `Follow the ${accent} and see where it leads.`,
    `A word in ${accent}, on a page of ${main}.`,
  ]
  const halves = [
    `${capital(above)} above, ${below} below.`,
    `It begins in ${above} and ends in ${below}.`,
    `Down from the ${above} into the ${below}.`,
  ]
  const one = {
    dark: [
      `Most of it is ${main}; the light keeps to itself.`,
      `Give your eyes a moment with the ${main}.`,
      `The dark is not empty, only ${main}.`,
    ],
    even: [
      `A good, honest ${main}.`,
      `${capital(main)}, and time to look at it.`,
      `It has settled on ${main}, for now.`,
    ],
    bright: [
      `Even the shadows are ${main} here.`,
      `So light that the ${main} hardly dares.`,
      `${capital(main)}, held up against the window.`,
    ],
  }
  return [...one[light], ...(main === accent ? [] : pair), ...(above === below ? [] : halves)]
}

function onLight({ light, brightest }: Look): string[] {
  const at = brightest === 'the middle' ? 'in the middle' : `at ${brightest}`
  const from = brightest === 'the middle' ? 'from within' : `from ${brightest}`
  const all = [
    `It is brightest ${at}; start there.`,
    brightest === 'the middle'
      ? 'The light has taken the middle seat.'
      : `The light leans in ${from}.`,
  ]
  switch (light) {
    case 'dark':
      return [
        ...all,
        `What little light there is has gathered ${at}.`,
        `Something glows ${at}. Let it.`,
        'It is late in this picture, and nobody minds.',
        'Hardly any light, and it is enough.',
        'The lamp was turned down on purpose.',
      ]
    case 'bright':
      return [
        ...all,
        `The light comes ${from} and stays.`,
        'So much light that everything has to whisper.',
        'Bright as a page that nobody has written on.',
        'You could read by this.',
        'Nothing here has anything to hide.',
      ]
    default:
      return [
        ...all,
        'Neither day nor night has quite made up its mind.',
        'The light is on its way somewhere else.',
        'It could be any hour, and it is this one.',
        'Somebody has just drawn the curtain aside.',
        'The light has found what it came for.',
      ]
  }
}

const contrasts: Readonly<Record<Look['contrast'], readonly string[]>> = {
  soft: [
    'Nothing in it is loud.',
    'One shade melts into the next.',
    'Soft all the way to the edges.',
    'Somebody has turned the world down a little.',
    'It speaks so quietly that you have to lean in.',
    'There is not a hard line in it.',
  ],
  plain: [
    'Everything is where it should be.',
    'It has been waiting like this for a while.',
    'No tricks, just a good place to look.',
    'It does not need you, but it does not mind.',
    'You have seen something like it, long ago.',
    'It keeps one thing for the second look.',
  ],
  sharp: [
    'Light and dark have split it fairly.',
    'The edges are clean enough to cut paper.',
    'It knows exactly what it wants you to see.',
    'Half of it shines so that the other half can rest.',
    'Every outline means it.',
    'The shadows are doing half the work.',
  ],
}

const details: Readonly<Record<Look['detail'], readonly string[]>> = {
  calm: [
    'It asks for very little.',
    'Wide, slow and in no hurry.',
    'Hardly anything moves, and that is the point.',
    'There is room in it for a whole afternoon.',
    'It leaves most things out, and you do not miss them.',
    'It has the patience of large things.',
  ],
  busy: [
    'There is more in it than one look can hold.',
    'Small things everywhere; pick one and stay.',
    'It hums, if you listen.',
    'Your eyes will not know where to sit down.',
    'Somebody took the time for every bit of this.',
    'Count something. It does not matter what.',
  ],
}

const warmths: Readonly<Record<Look['warmth'], readonly string[]>> = {
  warm: [
    'Warm as a lamp that somebody left on.',
    'You can almost feel the heat of it.',
    'It has the colour of a long evening.',
    'Hold your hands up to it.',
    'It would smell of dust and oranges.',
  ],
  cool: [
    'Cool as the far side of the pillow.',
    'You would want a coat for this.',
    'It has the quiet of a house before breakfast.',
    'Cold, but a kind cold.',
    'It would sound like a glass being put down.',
  ],
  neither: [
    'It takes no side, and gives you time to.',
    'Not warm, not cold: just so.',
    'It keeps its temperature to itself.',
  ],
}

const shapes: Readonly<Record<Look['shape'], readonly string[]>> = {
  tall: [
    'It stands upright, like a door left ajar.',
    'Let your eyes climb it.',
    'It goes up further than you thought.',
  ],
  wide: [
    'It goes on past both edges.',
    'Read it from left to right, like a sentence.',
    'There is more of it just outside the frame.',
  ],
  square: [
    'Everything is gathered in the middle.',
    'It sits in its frame like a cat on a chair.',
    'All four sides have agreed on it.',
  ],
}

const common = [
  'Take your time.',
  'Stay for one slow breath.',
  'Look once more before it goes.',
  'Let it come to you.',
  'There is nowhere else to be.',
  'Breathe out, and look again.',
  'What do you notice first?',
  'Do not hurry this one.',
  'Keep a corner of it for later.',
  'Blink, and see what stays.',
  'Let your shoulders drop.',
  'Count to five, then let it go.',
  'See what the edges are doing.',
  'It will wait for you.',
]

const ofVoice: Readonly<Record<Voice['name'], readonly string[]>> = {
  narrator: [],
  wished: [],
  walker: [
    'Walk in as far as you like.',
    'You can hear your own steps here.',
    'Breathe in; the air is different.',
    'Follow the ground with your eyes.',
    'There is a path, if you want one.',
    'Sit down on whatever is dry.',
  ],
  stroller: [
    'Somebody in there is still awake.',
    'Cross over to the quiet side.',
    'The evening is long; walk slowly.',
    'Listen: a door, a step, a tram far off.',
    'Choose a window and wonder.',
    'You could be home by now, but look.',
  ],
  stargazer: [
    'Tilt your head back a little.',
    'Hold still; it is moving, only slowly.',
    'Nobody up there is in a hurry.',
    'Let your eyes get used to the distance.',
    'It was there long before you looked.',
    'Pull the blanket up and keep watching.',
  ],
  curator: [
    'Step back once, then come closer.',
    'Follow one line from end to end.',
    'Look for the place where the hand began.',
    'Imagine the paper under your thumb.',
    'Somebody put the pen down here, and smiled.',
    'It took longer to make than it looks.',
  ],
  encouraging: [
    'Good. Slower now, and keep looking.',
    'You are doing well; stay right there.',
    'Breathe with me: in, and out, and look.',
    'That is it. There is no hurry at all.',
    'Patience becomes you.',
  ],
  daring: [
    'Admit it: you looked twice.',
    'Be curious; nobody is keeping score.',
    'Go on, say what you like about it.',
    'Braver now: look a little longer.',
    'I dare you not to smile.',
  ],
  modest: [
    'Easily impressed, are you? It suits you.',
    'There you go again, all eyes.',
    'Adorable, how long you can look at one thing.',
    'Blush if you must; the room is dark.',
    'You may look. You were going to anyway.',
  ],
  stern: [
    'Sit up straight. Eyes here.',
    'You will wait, and you will like waiting.',
    'Attention, please. I shall not say it twice.',
    'Hands still. Look properly.',
    'Not yet. I will tell you when.',
  ],
  teasing: [
    'Look on from where you are; wanting is half of it.',
    'Best seat in the last row, is it not?',
    'So near, and only to look at.',
    'You would like to be in there, would you not?',
    'Wait your turn, and enjoy the view.',
  ],
}

/** Returns the invitations of a voice. Its own sentences are listed twice, so they are chosen more often. */
export function invitationsOf({ name, isAdult }: Voice): string[] {
  const own = ofVoice[name]
  return isAdult ? [...own] : [...own, ...own, ...common]
}

export const beginnings = [
  'Settle in; this is where it begins.',
  'Make yourself comfortable and look up.',
  'Begin here, and leave the day outside.',
]

export const endings = [
  'Let it end here, and take it with you.',
  'Look a last time, then close your eyes.',
  'Keep this one; the rest may fade.',
]

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
