/**
 * Converts a provider's answer to a caption: one paragraph of plain text with the right length, without
 * markdown, label, slide number or quotation marks around it.
 */
export type CaptionLength = {
  /** Shorter captions are extended; 0 allows any length. */
  readonly min: number
  readonly max: number
}

/** Returns null when no text remains. `closing` extends a short caption. */
export function shapeCaption(
  answer: string,
  { min, max }: CaptionLength,
  closing: string,
): string | null {
  // Some models write their reasoning first, at length.
  const spoken = answer.replaceAll(/<think>[\s\S]*?(?:<\/think>|$)/gi, ' ')
  let text = spoken.slice(0, maxRead)
  // Removing one label can uncover another.
  for (let before = null; before !== text;) {
    before = text
    text = withoutQuotes(withoutSlideNumbers(withoutLabel(plainText(text)))).trim()
  }
  if (!/[\p{L}\p{N}]/u.test(text)) return null
  const cut = cutAtWord(text, max)
  return cut.length < min ? fillUp(cut, { min, max }, closing) : cut
}

/** True when a caption repeats eight consecutive words of its instructions. */
export function repeatsInstructions(caption: string, instructions: string): boolean {
  const instructionText = ` ${wordsOf(instructions).join(' ')} `
  const words = wordsOf(caption)
  return words.some((_, start) => {
    const run = words.slice(start, start + leakWords)
    return run.length === leakWords && instructionText.includes(` ${run.join(' ')} `)
  })
}

const leakWords = 8
const maxRead = 8000

// Soft hyphens, zero-width spaces and characters that change the text direction.
const invisible = /[\u00AD\u200B\u2060\uFEFF\u202A-\u202E\u2066-\u2069]/g

function plainText(answer: string): string {
  const text = answer
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/^[^\S\n]*(?:```|~~~)[^\n]*$/gm, ' ')
    .replaceAll(/!?\[([^[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, ' ')
    .split('\n')
    .map((line) =>
      line.replace(/^\s*(?:#{1,6}\s+|>+\s*|[-+•*]\s+|\d{1,3}[.)]\s+|[-*_=]{3,}\s*$)+/, ''),
    )
    .join(' ')
  return text
    .replaceAll(/[*`]+|~~/g, '')
    .replaceAll(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replaceAll(invisible, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

const openings = [
  /^(?:sure|certainly|of course|okay|ok)[,!.:]\s+(?=here\b)/i,
  /^here(?:['’]s| is| are)\b[^:.!?]{0,60}:\s*/i,
  /^(?:(?:the|a|my|your|new|final|rewritten|suggested|revised)\s+){0,3}caption(?:\s+\d+)?\s*[:–—-]\s*/i,
  /^(?:slide|picture|image|photo|frame)\s+(?:#?\d+|one|two|three|four|five|six|seven|eight|nine|ten)(?:\s*(?:of|\/)\s*\d+)?\s*[:.–—-]\s*/i,
  /^[([]?#?\d{1,4}\s*(?:\/|of)\s*\d{1,4}[)\]]?\s*[:.–—-]?\s*/i,
  /^#\d{1,4}\s*[:.–—-]?\s*/,
]

function withoutLabel(text: string): string {
  return openings.reduce((rest, opening) => rest.replace(opening, ''), text)
}

const slideNumber = 'slides?\\s*(?:no\\.?\\s*|number\\s*|#\\s*)?\\d+(?:\\s*(?:of|/|-|–)\\s*\\d+)?'
const bracketedSlideNumber = new RegExp(
  `(?<!\\s)\\s*[([](?:${slideNumber}|\\d+\\s*/\\s*\\d+)[)\\]]`,
  'gi',
)
const spokenSlideNumber = new RegExp(slideNumber, 'gi')

function withoutSlideNumbers(text: string): string {
  return text
    .replaceAll(bracketedSlideNumber, '')
    .replaceAll(spokenSlideNumber, 'this picture')
    .replaceAll(/ {2,}/g, ' ')
}

const quotePairs = ['""', "''", '“”', '‘’', '«»', '„“', '「」']

/** Removes quotes around the whole text, and an opening quote without a closing one. */
function withoutQuotes(text: string): string {
  for (const [open = '', close = ''] of quotePairs) {
    if (!text.startsWith(open)) continue
    const inside = text.slice(open.length)
    const closings = inside.split(close).length - 1
    if (closings === 0) return inside
    if (closings === 1 && inside.endsWith(close)) return inside.slice(0, -close.length)
  }
  return text
}

/** Cuts at the end of a sentence if enough remains, else after a whole word. */
function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text
  const head = text.slice(0, max + 1)
  const sentences = [...head.matchAll(/(?<![.!?…])[.!?…]+["”’)]*(?=\s)/g)]
  const lastEnd = sentences.map(({ index, 0: end }) => index + end.length).at(-1) ?? 0
  if (lastEnd >= max / 2 && lastEnd <= max) return head.slice(0, lastEnd)
  const word = text.slice(0, max).search(/\s\S*$/)
  const kept = word > 0 ? text.slice(0, word) : cutCharacters(text, max - 1)
  return `${kept.replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/, '')}…`
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Cuts a single word that is longer than the limit. */
function cutCharacters(text: string, max: number): string {
  let kept = ''
  for (const { segment } of characters.segment(text.slice(0, max + 32))) {
    if (kept.length + segment.length > max) break
    kept += segment
  }
  return kept
}

function fillUp(text: string, { min, max }: CaptionLength, closing: string): string {
  let filled = /[.!?…]["”’)]*$/.test(text) ? text : `${text}.`
  while (filled.length < min) filled = `${filled} ${closing}`
  return cutAtWord(filled, max)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
