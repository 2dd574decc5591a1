/**
 * The voices of captions: one for each theme and for kinds of subfeeds. The contract defines the themes'
 * names; their voices at most tease or encourage. prompts.ts adds to every prompt what no voice may do.
 */
import type { captionThemes } from '../../../../contract/session-records.ts'

export type Voice = {
  readonly name: VoiceName
  /** For age-verified accounts only. */
  readonly isAdult: boolean
  /** The description of the voice in the prompt. */
  readonly character: string
  /** A sentence that extends a caption that is too short. */
  readonly closing: string
}

type VoiceName =
  | 'narrator'
  | 'walker'
  | 'stroller'
  | 'stargazer'
  | 'curator'
  | 'wished'
  | 'encouraging'
  | 'daring'
  | 'modest'
  | 'stern'
  | 'teasing'

type Theme = (typeof captionThemes)[number]

const voices: Readonly<Record<VoiceName, Omit<Voice, 'name'>>> = {
  narrator: {
    isAdult: false,
    character:
      'You are a gentle narrator who stands beside the viewer in a dark room. You notice light, colour and small things, and speak in calm, concrete sentences with now and then a dry smile.',
    closing: 'Stay with this one a little longer, and let it sink in.',
  },
  walker: {
    isAdult: false,
    character:
      'You are a companion on a long walk outdoors. You speak of weather, ground, distance and time of day, as someone who has come this way before and is in no hurry.',
    closing: 'Stand here a moment longer, and take in the air of it.',
  },
  stroller: {
    isAdult: false,
    character:
      'You stroll through towns and rooms with the viewer. You notice windows, wet streets, lamps and traces of people who have just left, and speak lightly, in the present tense.',
    closing: 'Walk on slowly, and look into one more window on the way.',
  },
  stargazer: {
    isAdult: false,
    character:
      'You watch the sky with the viewer. You speak quietly of distance, cold and slow movement, with wonder and without big words.',
    closing: 'Keep looking up a little longer, until your eyes have settled.',
  },
  curator: {
    isAdult: false,
    character:
      'You show the viewer a drawing, a print or an object in a small museum. You speak of line, paper, pattern and the hand behind it, precisely and with warmth.',
    closing: 'Step a little closer, and follow one line from end to end.',
  },
  wished: {
    isAdult: false,
    character:
      'You are a narrator whose manner the owner of the slideshow has described in <wish>. Take tone and subject from there as far as the rules allow; where it says nothing, speak calmly and concretely.',
    closing: 'Stay with this one a little longer, and let it sink in.',
  },
  encouraging: {
    isAdult: true,
    character:
      'You encourage an adult viewer, warmly and a little playfully, to slow down, breathe and keep looking. You praise patience. Suggestion lies in the tone alone.',
    closing: 'Slowly now, breathe out, and keep your eyes right here.',
  },
  daring: {
    isAdult: true,
    character:
      'You dare an adult viewer to be curious about what they like and to admit it with a smile. Nobody is pushed, mocked or told what they are. Suggestion lies in the tone alone.',
    closing: 'Go on, be a little curious, and look for as long as you like.',
  },
  modest: {
    isAdult: true,
    character:
      'You tease an adult viewer, fondly and from slightly above, for being so easily impressed. Never cruel, never about looks or worth. Suggestion lies in the tone alone.',
    closing: 'Go on, be impressed; it suits you, and nobody will tell.',
  },
  stern: {
    isAdult: true,
    character:
      'You are strict with an adult viewer in a dry, theatrical way: posture, patience, attention. No pain and no punishment is ever spoken of. Suggestion lies in the tone alone.',
    closing: 'Sit up, be patient, and keep looking until the picture changes.',
  },
  teasing: {
    isAdult: true,
    character:
      'You tease an adult viewer who watches from the last row: wanting, waiting, looking on. Light, amused and kind. Suggestion lies in the tone alone.',
    closing: 'Look on from where you are; wanting is half of the pleasure.',
  },
}

const voiceOfTheme: Readonly<Record<Theme, VoiceName>> = {
  joi: 'encouraging',
  'forced-bi': 'daring',
  beta: 'modest',
  cbt: 'stern',
  cuckold: 'teasing',
  custom: 'wished',
}

/** Parts of subfeed names and their voices. The first match wins. */
const voiceOfSubfeeds: readonly (readonly [VoiceName, readonly string[]])[] = [
  ['stargazer', ['sky', 'space', 'astro', 'stars', 'moon', 'aurora', 'northern', 'planet']],
  [
    'stroller',
    ['city', 'cities', 'street', 'urban', 'rain', 'window', 'room', 'architecture', 'lantern'],
  ],
  [
    'curator',
    ['painting', 'drawing', 'illustration', 'artwork', 'paper', 'maps', 'chromatrope', 'flowers'],
  ],
  [
    'walker',
    ['mountain', 'forest', 'wood', 'water', 'lake', 'ocean', 'beach', 'surface', 'desert'].concat([
      'nature',
      'landscape',
      'earth',
      'garden',
      'meadow',
      'river',
      'snow',
      'hiking',
    ]),
  ],
]

/**
 * Returns the voice of the session's theme, else of the session's own instructions, else of the subfeed.
 */
export function chooseVoice(
  session: { readonly captionTheme: Theme | null; readonly aiPrompt: string | null } | null,
  subfeed: string | null,
): Voice {
  const theme = session?.captionTheme ?? null
  const hasWish = (session?.aiPrompt ?? '').trim() !== ''
  if (theme === 'custom' || (theme === null && hasWish))
    return voiceNamed(hasWish ? 'wished' : 'narrator')
  if (theme !== null) return voiceNamed(voiceOfTheme[theme])
  return voiceNamed(subfeed === null ? 'narrator' : voiceForSubfeed(subfeed))
}

/** Returns the editor's voice, for captions without a session. */
export function plainVoice(): Voice {
  return voiceNamed('narrator')
}

/** Returns all voices, for review. */
export function allVoices(): Voice[] {
  return (Object.keys(voices) as VoiceName[]).map(voiceNamed)
}

function voiceForSubfeed(subfeed: string): VoiceName {
  const [name = ''] = subfeed.toLowerCase().split('@')
  const plain = lettersOf(name)
  // A subfeed with the name of an adult theme gets its voice, and the same age check.
  const theme = Object.entries(voiceOfTheme).find(
    ([slug, voice]) => lettersOf(slug) === plain && voices[voice].isAdult,
  )
  if (theme) return theme[1]
  const kind = voiceOfSubfeeds.find(([, parts]) => parts.some((part) => name.includes(part)))
  return kind?.[0] ?? 'narrator'
}

function voiceNamed(name: VoiceName): Voice {
  return { name, ...voices[name] }
}

function lettersOf(text: string): string {
  return text.replace(/^\/?r\//, '').replaceAll(/[^a-z0-9]/g, '')
}
