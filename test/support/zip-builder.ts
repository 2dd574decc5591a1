/** Writes zips byte by byte, so that each field can be false. */
import { crc32, deflateRawSync } from 'node:zlib'

/** An entry, and its fields that differ from the truth. */
export type ZipPart = {
  readonly name: string | Buffer
  readonly content?: Uint8Array | string
  readonly deflated?: boolean
  /** The bytes in the archive, if they are not the packed content. */
  readonly packed?: Buffer
  readonly flags?: number
  readonly attributes?: number
  readonly extra?: Buffer
  readonly comment?: Buffer
  readonly headerAt?: number
  readonly disk?: number
  /** After the content; set `flags` accordingly. */
  readonly descriptor?: Buffer
  readonly central?: Said & { readonly nameBytes?: number }
  readonly local?: Said & {
    readonly name?: string
    readonly extra?: Buffer
    readonly signature?: number
  }
}

type Said = {
  readonly crc32?: number
  readonly packedBytes?: number
  readonly bytes?: number
  readonly method?: number
  readonly flags?: number
}

export type ZipEnd = {
  readonly comment?: Buffer
  readonly entries?: number
  readonly disk?: number
  readonly directoryBytes?: number
  readonly directoryAt?: number
  /** Bytes before the first entry. */
  readonly prefix?: Buffer
  /** Bytes between the last entry and the directory. */
  readonly gap?: Buffer
  /** The records of ZIP64, with these numbers. */
  readonly large?: {
    readonly entries?: number
    readonly entriesHere?: number
    readonly disk?: number
    readonly at?: number
    readonly recordAt?: number
  }
}

const utf8 = 0x0800
const regularFile = (0o100644 << 16) >>> 0

export function buildZip(parts: readonly ZipPart[], end: ZipEnd = {}): Buffer {
  const prefix = end.prefix ?? Buffer.alloc(0)
  const chunks: Buffer[] = [prefix]
  const records: Buffer[] = []
  let at = prefix.length
  for (const part of parts) {
    const facts = factsOf(part)
    const local = Buffer.concat([localHeader(part, facts), facts.packed, part.descriptor ?? none])
    records.push(record(part, facts, part.headerAt ?? at))
    chunks.push(local)
    at += local.length
  }
  if (end.gap) chunks.push(end.gap)
  at += end.gap?.length ?? 0
  const directory = Buffer.concat(records)
  chunks.push(directory)
  if (end.large) chunks.push(largeEnd(end.large, records.length, directory.length, at))
  chunks.push(endRecord(end, records.length, directory.length, at))
  return Buffer.concat(chunks)
}

/** Returns the data descriptor of an entry. */
export function descriptorOf(content: Uint8Array, said: { bytes?: number; crc?: number } = {}) {
  return numbers([
    [4, 0x08074b50],
    [4, said.crc ?? crc32(content)],
    [4, content.length],
    [4, said.bytes ?? content.length],
  ])
}

export function extraField(id: number, data: Buffer): Buffer {
  return Buffer.concat([
    numbers([
      [2, id],
      [2, data.length],
    ]),
    data,
  ])
}

export function wide(...values: readonly bigint[]): Buffer {
  const buffer = Buffer.alloc(values.length * 8)
  values.forEach((value, index) => buffer.writeBigUInt64LE(value, index * 8))
  return buffer
}

const none = Buffer.alloc(0)

type Facts = {
  readonly name: Buffer
  readonly packed: Buffer
  readonly said: Required<Said>
}

function factsOf(part: ZipPart): Facts {
  const content = Buffer.from(part.content ?? '')
  const packed = part.packed ?? (part.deflated ? deflateRawSync(content) : content)
  const flags = part.flags ?? utf8 | (part.descriptor ? 0x0008 : 0)
  return {
    name: Buffer.from(part.name),
    packed,
    said: {
      crc32: crc32(content),
      packedBytes: packed.length,
      bytes: content.length,
      method: part.deflated ? 8 : 0,
      flags,
    },
  }
}

function localHeader(part: ZipPart, { name, said }: Facts): Buffer {
  const shown = part.local?.name === undefined ? name : Buffer.from(part.local.name)
  const extra = part.local?.extra ?? none
  const open = part.descriptor ? { crc32: 0, packedBytes: 0, bytes: 0 } : {}
  const told = { ...said, ...open, ...part.local }
  const head = numbers([
    [4, part.local?.signature ?? 0x04034b50],
    [2, 20],
    [2, told.flags],
    [2, told.method],
    [4, 0],
    [4, told.crc32],
    [4, told.packedBytes],
    [4, told.bytes],
    [2, shown.length],
    [2, extra.length],
  ])
  return Buffer.concat([head, shown, extra])
}

function record(part: ZipPart, { name, said }: Facts, headerAt: number): Buffer {
  const told = { ...said, ...part.central }
  const [extra, comment] = [part.extra ?? none, part.comment ?? none]
  const head = numbers([
    [4, 0x02014b50],
    [2, (3 << 8) | 20],
    [2, 20],
    [2, told.flags],
    [2, told.method],
    [4, 0],
    [4, told.crc32],
    [4, told.packedBytes],
    [4, told.bytes],
    [2, part.central?.nameBytes ?? name.length],
    [2, extra.length],
    [2, comment.length],
    [2, part.disk ?? 0],
    [2, 0],
    [4, part.attributes ?? regularFile],
    [4, headerAt],
  ])
  return Buffer.concat([head, name, extra, comment])
}

function endRecord(end: ZipEnd, entries: number, bytes: number, at: number): Buffer {
  const comment = end.comment ?? none
  const count = end.entries ?? entries
  const head = numbers([
    [4, 0x06054b50],
    [2, end.disk ?? 0],
    [2, end.disk ?? 0],
    [2, count],
    [2, count],
    [4, end.directoryBytes ?? bytes],
    [4, end.directoryAt ?? at],
    [2, comment.length],
  ])
  return Buffer.concat([head, comment])
}

function largeEnd(
  large: NonNullable<ZipEnd['large']>,
  entries: number,
  bytes: number,
  at: number,
): Buffer {
  const count = BigInt(large.entries ?? entries)
  const head = numbers([
    [4, 0x06064b50],
    [4, 44],
    [4, 0],
    [2, 45],
    [2, 45],
    [4, large.disk ?? 0],
    [4, 0],
  ])
  const here = BigInt(large.entriesHere ?? count)
  const recordNumbers = wide(here, count, BigInt(bytes), BigInt(large.at ?? at))
  const recordAt = BigInt(large.recordAt ?? at + bytes)
  const locator = [
    numbers([
      [4, 0x07064b50],
      [4, 0],
    ]),
    wide(recordAt),
    numbers([[4, 1]]),
  ]
  return Buffer.concat([head, recordNumbers, ...locator])
}

function numbers(fields: readonly (readonly [2 | 4, number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((total, [bytes]) => total + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) {
    buffer.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return buffer
}
