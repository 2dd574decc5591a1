/**
 * The recognition of blocked pictures: real photographs, cut into parts, against every disguise and
 * against each other. The photographs are those of ../shared and of Debian's wallpapers (apt-get install
 * mate-backgrounds ukui-wallpapers lomiri-wallpapers-16.04 lomiri-wallpapers-20.04), or those of the
 * folder in PHOTOS.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sharp } from '../../src/server/media/libvips.ts'
import { areAlike, hashPicture } from '../../src/server/media/perceptual-hash.ts'
import { inspectPicture } from '../../src/server/media/picture.ts'
import { disguises } from '../support/disguises.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import { sharedFile } from '../support/shared-corpora.ts'

const fewestPictures = 200
const maxPictures = 400
// The disguises take most of the time.
const maxDisguised = 40
const minSidePx = 900
const cutsASide = 3
const sidePx = 640
const maxMissed = 0.01
const maxTakenForOthers = 0.0005

export const row: FaultRow = {
  budgetSeconds: 300,
  runs: 'in the table',
  machine: 'shared',
  shortTests: ['test/images/perceptual-hash.test.ts'],
  mutant: {
    file: 'src/server/media/perceptual-hash.ts',
    line: 'export const alikeWithinBits = 43',
    becomes: 'export const alikeWithinBits = 8',
  },
  checks: [
    {
      load: 'photographs, each in every disguise, and all against each other',
      goal: `≤ ${maxMissed * 100} % of the disguised are missed, ≤ ${maxTakenForOthers * 100} % of other pairs are taken for one`,
      run: recognise,
    },
  ],
}

async function recognise({ say, scaled }: FaultTools): Promise<Verdict> {
  const pictures = await cutPhotographs(maxPictures)
  say(`${pictures.length} pictures`)
  if (pictures.length < fewestPictures)
    throw new Error('too few photographs: see test/faults/recognition.ts')
  const hashes: string[][] = []
  const missed: Record<string, number> = {}
  let [tries, disguised] = [0, 0]
  const max = scaled(maxDisguised, 27)
  for (const [index, bytes] of pictures.entries()) {
    const own = await hashPicture(await inspectPicture(bytes))
    hashes.push(own)
    // Spread evenly: every ninth picture would be the same corner of each photograph.
    if ((index * max) % pictures.length >= max) continue
    disguised += 1
    for (const [name, changed] of Object.entries(await disguises(bytes))) {
      const isKnown = areAlike(own, await hashPicture(await inspectPicture(changed)))
      missed[name] = (missed[name] ?? 0) + (isKnown ? 0 : 1)
      tries += 1
    }
  }
  for (const [name, count] of Object.entries(missed))
    say(`${name}: ${disguised - count} of ${disguised} known`)
  const mistaken = countMistaken(hashes)
  const pairs = (hashes.length * (hashes.length - 1)) / 2
  say(`of ${pairs} pairs of different pictures, ${mistaken} were taken for the same`)
  const missedInAll = Object.values(missed).reduce((sum, count) => sum + count, 0)
  say(`${tries - missedInAll} of ${tries} altered pictures were known`)
  return verdict(
    `${missedInAll} of ${tries} disguised were missed, ${mistaken} of ${pairs} other pairs taken for one`,
    {
      'too many altered pictures were missed': missedInAll / tries <= maxMissed,
      'too many others were caught': mistaken / pairs <= maxTakenForOthers,
    },
  )
}

function countMistaken(hashes: readonly (readonly string[])[]): number {
  let mistaken = 0
  for (const [index, one] of hashes.entries())
    for (const other of hashes.slice(index + 1)) if (areAlike(one, other)) mistaken += 1
  return mistaken
}

/** Cuts each photograph that is large enough into nine parts that do not overlap. */
async function cutPhotographs(max: number): Promise<Buffer[]> {
  const pictures: Buffer[] = []
  for (const path of findPhotographs()) {
    const { width, height } = await sharp(path).metadata()
    if (Math.min(width, height) < minSidePx) continue
    // Decoded once: otherwise each part would decode the whole photograph again.
    const { data, info: raw } = await sharp(path).raw().toBuffer({ resolveWithObject: true })
    const [across, down] = [Math.floor(width / cutsASide), Math.floor(height / cutsASide)]
    for (let column = 0; column < cutsASide; column += 1)
      for (let row = 0; row < cutsASide; row += 1)
        pictures.push(
          await sharp(data, { raw })
            .extract({ left: column * across, top: row * down, width: across, height: down })
            .resize(sidePx, sidePx, { fit: 'inside' })
            .jpeg({ quality: 90 })
            .toBuffer(),
        )
    if (pictures.length >= max) break
  }
  return pictures
}

function findPhotographs(): string[] {
  const folders = process.env['PHOTOS']
    ? [process.env['PHOTOS']]
    : ['/usr/share/backgrounds', sharedFile('corpora/media')]
  return (
    folders
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
          join(folder, name),
        ),
      )
      // Drawn wallpapers are PNGs or are in folders of their own.
      .filter((path) => /\.jpe?g$/i.test(path) && !/\/(abstract|desktop)\//.test(path))
      .filter((path) => statSync(path).isFile())
      .toSorted()
  )
}
