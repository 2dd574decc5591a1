/** Hostile archives, each with the code of its refusal. */
import { deflateRawSync } from 'node:zlib'
import type { Hostile } from './archive-parts.ts'
import {
  fileOf,
  goodArchive,
  hostile,
  manifest,
  manifestOf,
  png,
  sessionOf,
  slideName,
  slideOf,
} from './archive-parts.ts'
import { hostileManifests } from './hostile-manifests.ts'
import { samples } from './vault-world.ts'
import type { ZipPart } from './zip-builder.ts'
import { buildZip, descriptorOf, extraField, wide } from './zip-builder.ts'

export function hostileArchives(): Hostile[] {
  return [...shapes(), ...names(), ...kinds(), ...sizes(), ...lies(), ...hostileManifests()]
}

const good = [png, manifest]
const changed = (change: Partial<ZipPart>): ZipPart[] => [{ ...png, ...change }, manifest]

function shapes(): Hostile[] {
  return [
    { kind: 'nothing at all', fault: 'empty', bytes: Buffer.alloc(0) },
    { kind: 'a picture', fault: 'not-a-zip', bytes: samples.png },
    { kind: 'random bytes', fault: 'not-a-zip', bytes: Buffer.alloc(100_000, 'zip?') },
    { kind: 'half an archive', fault: 'truncated', bytes: goodArchive.subarray(0, 300) },
    {
      kind: 'an archive without its middle',
      fault: 'truncated',
      bytes: Buffer.concat([goodArchive.subarray(0, 100), goodArchive.subarray(200)]),
    },
    hostile('one part of several', 'split', good, { disk: 1 }),
    hostile('one part of several, by a file', 'split', changed({ disk: 1 })),
    hostile('one part of several large ones', 'split', good, { large: { disk: 1 } }),
    hostile('one part of several long ones', 'split', good, { large: { entriesHere: 1 } }),
    hostile('numbers behind a file that promised none', 'stray-bytes', good, {
      gap: descriptorOf(Buffer.from(manifest.content ?? '')),
    }),
    hostile('a program before the archive', 'stray-bytes', good, { prefix: Buffer.alloc(512, 1) }),
    {
      kind: 'bytes before the archive that its numbers do not know of',
      fault: 'stray-bytes',
      bytes: Buffer.concat([Buffer.alloc(512, 1), goodArchive]),
    },
    hostile('bytes that belong to nothing', 'stray-bytes', good, { gap: Buffer.alloc(64, 2) }),
    hostile('a huge comment', 'oversized-fields', good, { comment: Buffer.alloc(60_000, 65) }),
    hostile('huge extra fields', 'oversized-fields', changed({ extra: Buffer.alloc(1500) })),
    hostile(
      'a huge comment on a file',
      'oversized-fields',
      changed({ comment: Buffer.alloc(60_000) }),
    ),
    hostile('huge extra fields before a file', 'oversized-fields', [
      { ...png, local: { extra: Buffer.alloc(60_000) } },
      manifest,
    ]),
  ]
}

function names(): Hostile[] {
  const unsafe: readonly (readonly [string, string | Buffer])[] = [
    ['a way out of the folder', '../../etc/passwd'],
    ['a way out in the middle', 'sessions/../../x.png'],
    ['an absolute path', '/etc/passwd'],
    ['a drive letter', 'C:/windows/x.png'],
    ['backslashes', '..\\..\\x.png'],
    ['a NUL', 'x.png\0.txt'],
    ['a control character', 'x\u001b[2J.png'],
    ['no name', ''],
    ['a very long name', `${'a'.repeat(400)}.png`],
    ['a device', 'sessions/NUL.png'],
    ['a dot at the end', 'sessions./x.png'],
    ['letters that are none', Buffer.from([0xff, 0xfe, 0x2e, 0x70])],
  ]
  return [
    ...unsafe.map(([kind, name]) =>
      hostile(`a name: ${kind}`, 'bad-name', [{ ...png, name }, manifest]),
    ),
    hostile('the same name twice', 'duplicate-name', [png, png, manifest]),
    hostile('the same name in capitals', 'duplicate-name', [
      png,
      { ...png, name: slideName.toUpperCase() },
      manifest,
    ]),
    hostile('a file and a folder of one name', 'duplicate-name', [
      png,
      { name: `${slideName}/`, attributes: 0 },
      manifest,
    ]),
  ]
}

function kinds(): Hostile[] {
  const mode = (mode: number) => ({ attributes: (mode << 16) >>> 0 })
  return [
    hostile(
      'a symbolic link',
      'not-a-file',
      changed({ content: '/etc/passwd', ...mode(0o120777) }),
    ),
    hostile('a device node', 'not-a-file', changed(mode(0o060644))),
    hostile('a pipe', 'not-a-file', changed(mode(0o010644))),
    hostile('a folder without its slash', 'not-a-file', changed({ attributes: 0x10 })),
    hostile('a folder with something in it', 'not-a-file', [
      { name: 'sessions/', content: 'x', attributes: 0x10 },
      ...good,
    ]),
    hostile('an encrypted file', 'encrypted', changed({ flags: 0x0801 })),
    hostile('a strongly encrypted file', 'encrypted', changed({ flags: 0x0841 })),
    hostile('an unknown compression', 'unknown-method', changed({ central: { method: 99 } })),
    hostile(
      'a compression that is seldom used',
      'unknown-method',
      changed({ central: { method: 12 } }),
    ),
  ]
}

function sizes(): Hostile[] {
  const zeros = Buffer.alloc(64 * 1_048_576)
  const bomb = deflateRawSync(zeros)
  const many = Array.from({ length: 1300 }, (_, index) => ({ name: `x${index}` }))
  const size = (bytes: number) => ({ central: { bytes }, local: { bytes } })
  return [
    hostile('a bomb', 'ratio', changed({ content: zeros, deflated: true })),
    {
      ...hostile(
        'a bomb that says it is small',
        'broken',
        changed({ content: samples.png, packed: bomb, deflated: true }),
      ),
      says: 'larger than declared',
    },
    hostile('a bomb in the manifest', 'broken', [
      png,
      { ...manifest, packed: bomb, deflated: true },
    ]),
    hostile('a bomb in a bomb', 'no-manifest', [
      { name: 'lib 0.zip', content: buildZip([{ name: 'lib 1.zip', content: bomb }]) },
    ]),
    hostile('too many files', 'too-many-entries', [...many, ...good]),
    hostile('more files than it has', 'too-many-entries', good, { entries: 60_000 }),
    hostile('a huge file', 'entry-too-large', changed({ deflated: true, ...size(3_000_000_000) })),
    hostile(
      'a file of impossible size',
      'entry-too-large',
      changed({
        central: { bytes: 0xffffffff, packedBytes: 0xffffffff },
        extra: extraField(1, wide(2n ** 63n, 2n ** 63n)),
      }),
    ),
    hostile('all together too large', 'contents-too-large', [
      ...Array.from({ length: 7 }, (_, index) => ({
        name: `large/${index}.png`,
        packed: Buffer.alloc(1_100_000),
        deflated: true,
        ...size(99_000_000),
      })),
      ...good,
    ]),
  ]
}

function lies(): Hostile[] {
  const whole = changed({})
  const start = 30 + slideName.length
  return [
    hostile('files on top of each other', 'overlap', [
      png,
      { ...png, name: 'sessions/1/002.png', headerAt: 0 },
      manifest,
    ]),
    hostile('a file inside another', 'overlap', [
      { ...png, content: buildZip([png]) },
      { ...png, name: 'x.png', headerAt: start },
      manifest,
    ]),
    hostile(
      'another name before the file',
      'mismatch',
      changed({
        local: { name: 'sessions/1/002.png' },
      }),
    ),
    hostile('another size before the file', 'mismatch', changed({ local: { bytes: 5 } })),
    hostile('another checksum before the file', 'mismatch', changed({ local: { crc32: 5 } })),
    hostile('another compression before the file', 'mismatch', changed({ local: { method: 8 } })),
    hostile(
      'another size behind the file',
      'mismatch',
      changed({
        descriptor: descriptorOf(samples.png, { bytes: 5 }),
      }),
    ),
    hostile(
      'another checksum behind the file',
      'mismatch',
      changed({
        descriptor: descriptorOf(samples.png, { crc: 5 }),
      }),
    ),
    hostile(
      'numbers promised behind the file that are not there',
      'stray-bytes',
      changed({
        flags: 0x0808,
      }),
    ),
    hostile('a stored file of two sizes', 'mismatch', changed({ central: { bytes: 5 } })),
    hostile('a file that starts nowhere', 'mismatch', changed({ local: { signature: 7 } })),
    hostile('a stored file of two sizes, everywhere', 'mismatch', [
      { ...png, central: { bytes: 5 }, local: { bytes: 5 } },
      manifest,
    ]),
    hostile('a name that ends beyond the directory', 'truncated', [
      png,
      { ...manifest, central: { nameBytes: 300 } },
    ]),
    hostile('a 64-bit field that ends beyond its place', 'mismatch', [
      {
        ...png,
        central: { bytes: 0xffffffff },
        extra: Buffer.concat([Buffer.from([1, 0, 244, 1]), wide(BigInt(samples.png.length))]),
      },
      manifest,
    ]),
    hostile('fewer files than it has', 'mismatch', whole, { entries: 1 }),
    hostile('more files than it lists', 'mismatch', whole, { entries: 3 }),
    hostile('a directory elsewhere', 'stray-bytes', whole, { directoryAt: 10 }),
    hostile('a 64-bit end that points elsewhere', 'mismatch', whole, { large: { recordAt: 0 } }),
    hostile('a 64-bit end of another count', 'mismatch', whole, { large: { entries: 9 } }),
    hostile('a 64-bit end of another place', 'mismatch', whole, { large: { at: 3 } }),
    hostile(
      '64-bit sizes that are missing',
      'mismatch',
      changed({ central: { bytes: 0xffffffff } }),
    ),
    hostile('a wrong checksum', 'broken', changed({ central: { crc32: 1 }, local: { crc32: 1 } })),
    hostile(
      'a deflated file that is none',
      'broken',
      changed({ deflated: true, packed: samples.png }),
    ),
    hostile(
      'something behind the end of a deflated file',
      'broken',
      changed({
        deflated: true,
        packed: Buffer.concat([deflateRawSync(samples.png), Buffer.alloc(500, 7)]),
      }),
    ),
    hostile('a file smaller than it says', 'broken', [
      { ...png, deflated: true, central: { bytes: 500 }, local: { bytes: 500 } },
      {
        ...manifest,
        content: manifestOf([
          sessionOf([slideOf({ ...fileOf(slideName, samples.png), size: 500 })]),
        ]),
      },
    ]),
    hostile(
      'another file than the manifest names',
      'wrong-hash',
      changed({ content: samples.gif }),
    ),
    hostile(
      'another file of the same size',
      'wrong-hash',
      changed({
        content: Buffer.alloc(samples.png.length, samples.png.subarray(0, 60)),
      }),
    ),
  ]
}
