/** Headers of pictures that contain the time of capture, written byte by byte. */

type Taken = { takenAt: string; offset?: string; fraction?: string; isLittle?: boolean }

/** Returns a TIFF header, a directory that points to the Exif directory, and that one with its times. */
export function tiff({ takenAt, offset, fraction, isLittle = true }: Taken): Buffer {
  const short = (value: number) => number(value, 2, isLittle)
  const long = (value: number) => number(value, 4, isLittle)
  const exifAt = 26
  const count = 1 + (offset === undefined ? 0 : 1) + (fraction === undefined ? 0 : 1)
  const textAt = exifAt + 2 + count * 12 + 4
  const entries = [
    Buffer.concat([short(0x9003), short(2), long(20), long(textAt)]),
    ...(offset === undefined
      ? []
      : [Buffer.concat([short(0x9011), short(2), long(7), long(textAt + 20)])]),
    ...(fraction === undefined
      ? []
      : [Buffer.concat([short(0x9291), short(2), long(3), fixed(fraction, 4)])]),
  ]
  return Buffer.concat([
    Buffer.from(isLittle ? 'II' : 'MM'),
    short(42),
    long(8),
    short(1),
    Buffer.concat([short(0x8769), short(4), long(1), long(exifAt)]),
    long(0),
    short(count),
    ...entries,
    long(0),
    fixed(takenAt, 20),
    fixed(offset ?? '', 7),
  ])
}

export function exifJpeg(exif: Buffer): Buffer {
  const segment = Buffer.concat([Buffer.from('Exif\0\0'), exif])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xe1]),
    number(segment.length + 2, 2, false),
    segment,
    Buffer.from([0xff, 0xda, 0]),
  ])
}

export function exifPng(exif: Buffer | null): Buffer {
  const chunk = (name: string, content: Buffer) =>
    Buffer.concat([number(content.length, 4, false), Buffer.from(name), content, Buffer.alloc(4)])
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.alloc(13)),
    ...(exif ? [chunk('eXIf', exif)] : []),
  ])
}

export function exifWebp(exif: Buffer): Buffer {
  const chunk = (name: string, content: Buffer) =>
    Buffer.concat([
      Buffer.from(name),
      number(content.length, 4, true),
      content,
      Buffer.alloc(content.length % 2),
    ])
  const chunks = Buffer.concat([chunk('VP8X', Buffer.alloc(9)), chunk('EXIF', exif)])
  return Buffer.concat([
    Buffer.from('RIFF'),
    number(chunks.length + 4, 4, true),
    Buffer.from('WEBP'),
    chunks,
  ])
}

function number(value: number, bytes: 2 | 4, isLittle: boolean): Buffer {
  const buffer = Buffer.alloc(bytes)
  if (isLittle) buffer.writeUIntLE(value, 0, bytes)
  else buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

function fixed(text: string, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.write(text, 'latin1')
  return buffer
}
