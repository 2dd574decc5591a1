/** The keys of the player in words, for its help sheet; keys.ts is what the player obeys. */

type KeyGroup = {
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
