/**
 * What an MP4 or QuickTime file says beside pictures and sound: where and when it was taken, with
 * which device, tracks of coordinates. Each such box becomes free space of the same size, so that
 * nothing is moved or coded anew.
 */
import type { ByteWindow } from './byte-window.ts'
import type { Hidden } from './hidden-bytes.ts'
import { zeros } from './hidden-bytes.ts'
import type { Box } from './mp4-boxes.ts'
import { boxesIn, contentOf, findBox, samplesOf } from './mp4-boxes.ts'

type Findings = {
  readonly hidden: Hidden[]
  /** Whether anything of it is worth a copy of the whole file. */
  isPrivate: boolean
}

const setOf = (types: string): ReadonlySet<string> => new Set(types.split(' '))

const keptAtTop = setOf('ftyp styp sidx ssix prft mfra pdin mdat wide')
const keptInMovie = setOf('mvhd iods mvex pssh')
const keptInTrack = setOf('tkhd edts tref tapt clip matt load imap trgr')
const keptInMedia = setOf('mdhd hdlr elng minf')
const keptInFragment = setOf('mfhd')
const keptInTrackFragment = setOf('tfhd tfdt trun sbgp sgpd subs saiz saio senc')
const timed = setOf('mvhd tkhd mdhd')
const shownTracks = setOf('vide soun auxv')
const smallBytes = 64 * 1024

/** What is to be written over; empty where the file can be shown as it is. */
export async function findPrivateBoxes(file: ByteWindow): Promise<Hidden[]> {
  const found: Findings = { hidden: [], isPrivate: false }
  for await (const box of boxesIn(file, 0, file.size)) {
    if (box.type === 'moov') await searchMovie(file, box, found)
    else if (box.type === 'moof') await searchFragment(file, box, found)
    else if (box.type === 'free' || box.type === 'skip') await emptySpace(file, box, found)
    else if (!keptAtTop.has(box.type)) hide(box, found)
  }
  return found.isPrivate ? found.hidden : []
}

async function searchMovie(file: ByteWindow, movie: Box, found: Findings): Promise<void> {
  for await (const box of boxesIn(file, movie.content, movie.end)) {
    if (box.type === 'trak') await searchTrack(file, box, found)
    else if (box.type === 'udta' && (await namesOnlyItsEncoder(file, box))) continue
    else await search(file, box, keptInMovie, found)
  }
}

async function searchTrack(file: ByteWindow, track: Box, found: Findings): Promise<void> {
  const media = await findBox(file, track, 'mdia')
  const handler = media && (await findBox(file, media, 'hdlr'))
  const kind = handler && (await contentOf(file, handler, 12)).toString('latin1', 8, 12)
  if (!kind || !shownTracks.has(kind)) {
    for (const { at, length } of media ? await samplesOf(file, media) : [])
      found.hidden.push(zeros(at, length))
    return hide(track, found)
  }
  for await (const box of boxesIn(file, track.content, track.end)) {
    if (box.type !== 'mdia') await search(file, box, keptInTrack, found)
    else
      for await (const part of boxesIn(file, box.content, box.end))
        await search(file, part, keptInMedia, found)
  }
}

async function searchFragment(file: ByteWindow, fragment: Box, found: Findings): Promise<void> {
  for await (const box of boxesIn(file, fragment.content, fragment.end)) {
    if (box.type !== 'traf') await search(file, box, keptInFragment, found)
    else
      for await (const part of boxesIn(file, box.content, box.end))
        await search(file, part, keptInTrackFragment, found)
  }
}

async function search(
  file: ByteWindow,
  box: Box,
  kept: ReadonlySet<string>,
  found: Findings,
): Promise<void> {
  if (box.type === 'free' || box.type === 'skip') return emptySpace(file, box, found)
  if (!kept.has(box.type)) return hide(box, found)
  if (timed.has(box.type)) await forgetTimes(file, box, found)
  // Names of programs: not worth a copy, but gone where one is made.
  if (box.type === 'hdlr' && box.end > box.content + 24)
    found.hidden.push(zeros(box.content + 24, box.end - box.content - 24))
}

/** When it was made and changed: two numbers of four bytes, or of eight in version 1. */
async function forgetTimes(file: ByteWindow, box: Box, found: Findings): Promise<void> {
  const content = await contentOf(file, box, 20)
  const length = content[0] === 1 ? 16 : 8
  if (content.subarray(4, 4 + length).every((byte) => byte === 0)) return
  found.hidden.push(zeros(box.content + 4, length))
  found.isPrivate = true
}

/** What was cut out of a file by others may still stand in the space that they left. */
async function emptySpace(file: ByteWindow, box: Box, found: Findings): Promise<void> {
  const length = box.end - box.content
  const content = await contentOf(file, box, smallBytes)
  if (length <= smallBytes && content.every((byte) => byte === 0)) return
  found.hidden.push(zeros(box.content, length))
  found.isPrivate = true
}

function hide(box: Box, found: Findings): void {
  found.isPrivate = true
  if (box.isBroken) {
    found.hidden.push(zeros(box.at, box.end - box.at))
    return
  }
  found.hidden.push({ at: box.at + 4, length: 4, head: Buffer.from('free') })
  found.hidden.push(zeros(box.content, box.end - box.content))
}

/** The common case of a file that a converter has made: a tag with the converter's own name. */
async function namesOnlyItsEncoder(file: ByteWindow, userData: Box): Promise<boolean> {
  if (userData.end - userData.content > smallBytes) return false
  for await (const meta of boxesIn(file, userData.content, userData.end)) {
    if (meta.type !== 'meta') return false
    for await (const box of boxesIn(file, meta.content + 4, meta.end)) {
      if (box.type === 'ilst') {
        for await (const tag of boxesIn(file, box.content, box.end))
          if (tag.type !== '\u00a9too') return false
      } else if (box.type !== 'hdlr') return false
    }
  }
  return true
}
