/** The descriptions of the keys for the help sheet of the player. keys.ts defines the actions. */
import { words as playerWords } from '../words.ts'
import { words } from './words.ts'

type KeyGroup = {
  readonly name: string
  readonly keys: readonly { readonly caps: readonly string[]; readonly does: string }[]
}

/** The blackout key. The help sheet describes it in a separate paragraph, with the touch gesture. */
export const blackoutKey = 'B'

export const keyGroups: readonly KeyGroup[] = [
  {
    name: words.showGroup,
    keys: [
      { caps: [words.caps.space], does: words.pauseOrGoOn },
      { caps: ['←', '→'], does: words.previousNext },
      { caps: [words.caps.home, words.caps.end], does: words.firstLast },
      { caps: ['1', '–', '9'], does: words.jump },
      { caps: ['[', ']'], does: words.slowerFaster },
    ],
  },
  {
    name: words.pictureGroup,
    keys: [
      { caps: ['F'], does: playerWords.fullScreen },
      { caps: ['Z'], does: words.fitOrFill },
      { caps: [words.wheel], does: words.touch.closer },
      { caps: ['K'], does: words.drift },
      { caps: ['C'], does: playerWords.captions },
      { caps: ['V'], does: playerWords.speakCaptions },
      { caps: ['M'], does: words.sound },
      { caps: ['↑', '↓'], does: words.louderQuieter },
    ],
  },
  {
    name: words.sessionGroup,
    keys: [
      { caps: ['S'], does: playerWords.shuffle },
      { caps: ['L'], does: playerWords.loop },
      { caps: ['I'], does: playerWords.about },
      { caps: ['?'], does: words.thisSheet },
      { caps: [words.caps.escape], does: playerWords.leave },
    ],
  },
]
