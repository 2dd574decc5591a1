/** The boxes that MP4 and QuickTime files are made of, read without trusting a size in them. */
import type { ByteWindow } from './byte-window.ts'
import { UnfitVideo } from '../../platform/video.ts'

export type Box = {
  readonly type: string
  readonly at: number
  /** Where its content begins. */
  readonly content: number
  readonly end: number
  /** Does not fit where it stands; it counts as reaching to the end of it. */
  readonly isBroken: boolean
}

const maxBoxes = 100_000
const maxTableBytes = 8 * 1024 * 1024

export async function* boxesIn(
  file: ByteWindow,
  start: number,
  end: number,
): AsyncGenerator<Box, void> {
  let count = 0
  for (let at = start; at < end;) {
    if ((count += 1) > maxBoxes) throw new UnfitVideo('broken')
    const head = await file.read(at, 16)
    const box = boxOf(head, at, end)
    yield box
    at = box.end
  }
}

export async function findBox(file: ByteWindow, parent: Box, type: string): Promise<Box | null> {
  for await (const box of boxesIn(file, parent.content, parent.end))
    if (box.type === type && !box.isBroken) return box
  return null
}

export function contentOf(file: ByteWindow, box: Box, maxBytes: number): Promise<Buffer> {
  return file.read(box.content, Math.min(box.end - box.content, maxBytes))
}

/** Where a track's samples lie in the file, chunk by chunk. */
export async function samplesOf(
  file: ByteWindow,
  media: Box,
): Promise<{ at: number; length: number }[]> {
  const info = await findBox(file, media, 'minf')
  const table = info && (await findBox(file, info, 'stbl'))
  if (!table) return []
  const offsets = await chunkOffsets(file, table)
  const runs = await tableOf(file, table, 'stsc', 3)
  const sizes = await sampleSizes(file, table)
  let sample = 0
  let run = 0
  return offsets.map((at, index) => {
    while ((runs[run + 1]?.[0] ?? Infinity) <= index + 1) run += 1
    const samples = runs[run]?.[1] ?? 0
    const length = sizes.sum(sample, samples)
    sample += samples
    return { at, length: Math.max(0, Math.min(length, file.size - at)) }
  })
}

function boxOf(head: Buffer, at: number, end: number): Box {
  const type = head.toString('latin1', 4, 8)
  const short = head.length >= 8 ? head.readUInt32BE(0) : -1
  const isLong = short === 1 && head.length >= 16
  const content = at + (isLong ? 16 : 8)
  const size = short === 0 ? end - at : isLong ? Number(head.readBigUInt64BE(8)) : short
  const fits = head.length >= 8 && size >= content - at && at + size <= end
  // The last box of a file that was cut off.
  if (!fits && type === 'mdat' && content <= end) return { type, at, content, end, isBroken: false }
  if (!fits) return { type: '', at, content: at, end, isBroken: true }
  return { type, at, content, end: at + size, isBroken: false }
}

async function chunkOffsets(file: ByteWindow, table: Box): Promise<number[]> {
  const long = await findBox(file, table, 'co64')
  if (!long) return (await tableOf(file, table, 'stco', 1)).map(([offset = 0]) => offset)
  const rows = await tableOf(file, table, 'co64', 2)
  return rows.map(([high = 0, low = 0]) => high * 2 ** 32 + low)
}

async function sampleSizes(file: ByteWindow, table: Box) {
  const box = await findBox(file, table, 'stsz')
  const bytes = box ? await wholeOf(file, box) : Buffer.alloc(0)
  const uniform = bytes.length >= 8 ? bytes.readUInt32BE(4) : 0
  const present = Math.max(0, Math.floor((bytes.length - 12) / 4))
  return {
    sum(first: number, count: number): number {
      if (uniform > 0) return uniform * count
      let total = 0
      for (let index = first; index < Math.min(first + count, present); index += 1)
        total += bytes.readUInt32BE(12 + index * 4)
      return total
    },
  }
}

/** A table of rows of 32-bit numbers behind version, flags and count. */
async function tableOf(
  file: ByteWindow,
  parent: Box,
  type: string,
  columns: number,
): Promise<number[][]> {
  const box = await findBox(file, parent, type)
  if (!box) return []
  const bytes = await wholeOf(file, box)
  const promised = bytes.length >= 8 ? bytes.readUInt32BE(4) : 0
  const present = Math.min(promised, Math.floor((bytes.length - 8) / (4 * columns)))
  return Array.from({ length: Math.max(0, present) }, (_, row) =>
    Array.from({ length: columns }, (_, column) =>
      bytes.readUInt32BE(8 + (row * columns + column) * 4),
    ),
  )
}

async function wholeOf(file: ByteWindow, box: Box): Promise<Buffer> {
  if (box.end - box.content > maxTableBytes) throw new UnfitVideo('broken')
  return contentOf(file, box, maxTableBytes)
}
