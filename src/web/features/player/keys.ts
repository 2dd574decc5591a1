/** The actions of the keys in the player. key-help.ts describes them to the viewer. */

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
  | 'louder'
  | 'quieter'
  | 'shuffle'
  | 'loop'
  | 'about'
  | 'help'
  | 'leave'
  | 'blackOut'

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
  arrowup: 'louder',
  arrowdown: 'quieter',
  s: 'shuffle',
  l: 'loop',
  i: 'about',
  '?': 'help',
  escape: 'leave',
  b: 'blackOut',
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Returns null for browser shortcuts and for keys without an action. */
export function actionOf(event: Pressed): PlayerAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  if (/^[1-9]$/.test(event.key)) return 'jump'
  return actionOfKey[event.key.toLowerCase()] ?? null
}

/** True for modifier keys, which do not end a blackout. */
export function isModifier({ key }: Pick<KeyboardEvent, 'key'>): boolean {
  return /^(Shift|Control|Alt|Meta|AltGraph|CapsLock|Fn|Dead|OS)$/.test(key)
}
