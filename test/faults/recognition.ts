/**
 * How well a blocked picture is known again: real photographs, cut into many, against everything
 * that is done to hide them, and against each other. The photographs are those of ../shared and of
 * Debian's wallpapers (apt-get install mate-backgrounds plasma-workspace-wallpapers), or of the
 * folder that PHOTOS names.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  alikeWithinBits,
  hashPicture,
  nearestDistance,
} from '../../src/server/features/images/perceptual-hash.ts'
import { inspectPicture } from '../../src/server/features/images/picture.ts'
import { sharp } from '../../src/server/platform/libvips.ts'
import { disguises } from '../support/disguises.ts'
import type { Fault, FaultTools } from '../support/fault.ts'
import { sharedFile } from '../support/shared-corpora.ts'

const fewestPictures = 200
const mostPictures = 400
const leastSidePx = 1000
const sidePx = 640
const mostMissed = 0.01
const mostTakenForOthers = 0.0005

export const faults: readonly Fault[] = [
  { promise: 'blocked pictures are known again, and others are not', run: recognise },
]

async function recognise({ say }: FaultTools): Promise<void> {
  const pictures = await cutPhotographs()
  say(`${pictures.length} pictures`)
  assert.ok(
    pictures.length >= fewestPictures,
    'too few photographs: see test/faults/recognition.ts',
  )
  const hashes: string[][] = []
  const missed: Record<string, number> = {}
  let tries = 0
  for (const bytes of pictures) {
    const own = await hashPicture(await inspectPicture(bytes))
    hashes.push(own)
    for (const [name, changed] of Object.entries(await disguises(bytes))) {
      const isKnown = isAlike(own, await hashPicture(await inspectPicture(changed)))
      missed[name] = (missed[name] ?? 0) + (isKnown ? 0 : 1)
      tries += 1
    }
  }
  for (const [name, count] of Object.entries(missed))
    say(`${name}: ${pictures.length - count} of ${pictures.length} known`)
  const mistaken = countMistaken(hashes)
  const pairs = (hashes.length * (hashes.length - 1)) / 2
  say(`of ${pairs} pairs of different pictures, ${mistaken} were taken for the same`)
  const missedInAll = Object.values(missed).reduce((sum, count) => sum + count, 0)
  say(`${tries - missedInAll} of ${tries} altered pictures were known`)
  assert.ok(missedInAll / tries <= mostMissed, 'too many altered pictures were missed')
  assert.ok(mistaken / pairs <= mostTakenForOthers, 'too many others were caught')
}

function isAlike(one: readonly string[], other: readonly string[]): boolean {
  return nearestDistance(one, other) * 256 <= alikeWithinBits
}

function countMistaken(hashes: readonly (readonly string[])[]): number {
  let mistaken = 0
  for (const [index, one] of hashes.entries())
    for (const other of hashes.slice(index + 1)) if (isAlike(one, other)) mistaken += 1
  return mistaken
}

/** Each photograph in four parts that have nothing in common, as far as they are large enough. */
async function cutPhotographs(): Promise<Buffer[]> {
  const pictures: Buffer[] = []
  for (const path of findPhotographs()) {
    const { width, height } = await sharp(path).metadata()
    if (Math.min(width, height) < leastSidePx) continue
    const [across, down] = [Math.floor(width / 2), Math.floor(height / 2)]
    for (const left of [0, across])
      for (const top of [0, down])
        pictures.push(
          await sharp(path)
            .extract({ left, top, width: across, height: down })
            .resize(sidePx, sidePx, { fit: 'inside' })
            .jpeg({ quality: 90 })
            .toBuffer(),
        )
    if (pictures.length >= mostPictures) break
  }
  return pictures
}

function findPhotographs(): string[] {
  const folders = process.env['PHOTOS']
    ? [process.env['PHOTOS']]
    : ['/usr/share/backgrounds', '/usr/share/wallpapers', sharedFile('corpora/media')]
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => /\.(jpe?g|png|webp)$/i.test(path) && statSync(path).isFile())
    .filter((path) => readFileSync(path).length > 0)
    .toSorted()
}
