/** What each key does in the player, in one list: the handler obeys it and the help sheet shows it. */

export type PlayerAction =
  | 'playOrPause'
  | 'previous'
  | 'next'
  | 'first'
  | 'last'
  | 'jump'
  | 'slower'
  | 'faster'
  | 'fullScreen'
  | 'fill'
  | 'drift'
  | 'captions'
  | 'speak'
  | 'mute'
  | 'shuffle'
  | 'loop'
  | 'about'
  | 'help'
  | 'leave'
  | 'blackOut'

export type KeyGroup = {
  readonly name: string
  readonly keys: readonly { readonly caps: readonly string[]; readonly does: string }[]
}

export const keyGroups: readonly KeyGroup[] = [
  {
    name: 'Show',
    keys: [
      { caps: ['Space'], does: 'Pause or go on' },
      { caps: ['←', '→'], does: 'Previous, next' },
      { caps: ['Home', 'End'], does: 'First, last slide' },
      { caps: ['1', '–', '9'], does: 'Jump by tenths' },
      { caps: ['[', ']'], does: 'Slower, faster' },
    ],
  },
  {
    name: 'Picture',
    keys: [
      { caps: ['F'], does: 'Full screen' },
      { caps: ['Z'], does: 'Fit or fill' },
      { caps: ['K'], does: 'Slow drift' },
      { caps: ['C'], does: 'Captions' },
      { caps: ['V'], does: 'Speak captions' },
      { caps: ['M'], does: 'Sound' },
    ],
  },
  {
    name: 'Session',
    keys: [
      { caps: ['S'], does: 'Shuffle' },
      { caps: ['L'], does: 'Loop' },
      { caps: ['I'], does: 'About this picture' },
      { caps: ['?'], does: 'This sheet' },
      { caps: ['Esc'], does: 'Leave' },
    ],
  },
]

const actionOfKey: Readonly<Record<string, PlayerAction>> = {
  ' ': 'playOrPause',
  arrowleft: 'previous',
  arrowright: 'next',
  pageup: 'previous',
  pagedown: 'next',
  home: 'first',
  end: 'last',
  '[': 'slower',
  ']': 'faster',
  f: 'fullScreen',
  z: 'fill',
  k: 'drift',
  c: 'captions',
  v: 'speak',
  m: 'mute',
  s: 'shuffle',
  l: 'loop',
  i: 'about',
  '?': 'help',
  escape: 'leave',
  b: 'blackOut',
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Null for keys that are the browser's or nobody's. */
export function actionOf(event: Pressed): PlayerAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  if (/^[1-9]$/.test(event.key)) return 'jump'
  return actionOfKey[event.key.toLowerCase()] ?? null
}

/** A key that is only held to change another does not bring a dark screen back. */
export function isModifier({ key }: Pick<KeyboardEvent, 'key'>): boolean {
  return /^(Shift|Control|Alt|Meta|AltGraph|CapsLock|Fn|Dead|OS)$/.test(key)
}
