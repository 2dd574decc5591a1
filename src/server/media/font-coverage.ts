/**
 * Tells which characters the included fonts can draw. The renderer does not report missing ones: it draws a
 * box with the character's number.
 */
import { readdirSync, readFileSync } from 'node:fs'

// The same folder as in fonts.conf: the renderer takes missing characters from other fonts.
const folder = new URL('../../../node_modules/dejavu-fonts-ttf/ttf/', import.meta.url)

/** The first and the last code point, both included. */
type Range = readonly [first: number, last: number]

let covered: ReadonlySet<number> | undefined

export function canDraw(character: string): boolean {
  covered ??= readCoverage()
  const isCovered = (part: string) => covered?.has(part.codePointAt(0) ?? 0) ?? false
  // A letter with an accent can also be drawn from its parts.
  return isCovered(character) || Array.from(character.normalize('NFD')).every(isCovered)
}

/** Reads the fonts, once. It takes some milliseconds. */
function readCoverage(): Set<number> {
  const points = new Set<number>()
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.ttf')))
    for (const [first, last] of rangesOf(readFileSync(new URL(name, folder))))
      for (let point = first; point <= last; point += 1) points.add(point)
  return points
}

/** Reads format 12 of the font's `cmap` table. Fonts without it are subsets of one that has it. */
function rangesOf(font: Buffer): Range[] {
  const cmap = tableAt(font, 'cmap')
  const subtables = Array.from(
    { length: font.readUInt16BE(cmap + 2) },
    (_, index) => cmap + font.readUInt32BE(cmap + 8 + index * 8),
  )
  const groups = subtables.find((at) => font.readUInt16BE(at) === 12)
  if (groups === undefined) return []
  return Array.from({ length: font.readUInt32BE(groups + 12) }, (_, index) => {
    const group = groups + 16 + index * 12
    return [font.readUInt32BE(group), font.readUInt32BE(group + 4)]
  })
}

function tableAt(font: Buffer, tag: string): number {
  for (let index = 0; index < font.readUInt16BE(4); index += 1) {
    const entry = 12 + index * 16
    if (font.toString('latin1', entry, entry + 4) === tag) return font.readUInt32BE(entry + 8)
  }
  throw new Error(`a font has no table ${tag}`)
}
