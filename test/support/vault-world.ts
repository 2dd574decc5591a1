/**
 * Support for tests of the vault: small files of every kind, hand-made forms, and checks of what is stored.
 */
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import { buckets } from '../../src/server/platform/storage/storage.ts'
import type { Person, World } from './world.ts'

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** Headers of files, sufficient to recognise each type; PNG and GIF are complete. */
export const samples = {
  png: Buffer.from(png, 'base64'),
  gif: Buffer.from(gif, 'base64'),
  jpeg: Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb004300', 'hex'),
  webp: Buffer.from('RIFF\u0024\0\0\0WEBPVP8 \u0018\0\0\0'.padEnd(44, '\0'), 'latin1'),
  mp4: mp4Of('isom'),
  m4v: mp4Of('M4V '),
  mov: mp4Of('qt  '),
  heic: mp4Of('heic'),
  webm: ebmlOf('webm'),
  matroska: ebmlOf('matroska'),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  html: Buffer.from('<!doctype html><script>alert(1)</script>'),
  pdf: Buffer.from('%PDF-1.7\n'),
  empty: Buffer.alloc(0),
}

export function fileOf(bytes: Uint8Array, fileName: string, type: string): File {
  return new File([new Uint8Array(bytes)], fileName, { type })
}

export function pngFile(fileName = 'photo.png'): File {
  return fileOf(samples.png, fileName, 'image/png')
}

/** Uploads a small picture. Returns its id as a path needs it, and the response. */
export async function upload(person: Person, fileName = 'photo.png') {
  const made = await person.vault.upload({ form: { file: pngFile(fileName) } })
  if (!made.media) throw new Error('the picture is no item of the vault')
  return { ...made, mediaId: made.media.id, id: String(made.media.id) }
}

export async function userIdOf(person: Person): Promise<string> {
  return (await person.accounts.currentUser()).id
}

export async function storedKeys(storage: Storage): Promise<string[]> {
  const keys: string[] = []
  for (const bucket of buckets) for await (const { key } of storage.list(bucket, '')) keys.push(key)
  return keys.toSorted()
}

/** Returns records, unclaimed files and stored files, all of which must be empty after a refusal. */
export async function tracesIn({ ctx }: World): Promise<Record<string, readonly string[]>> {
  const records = await ctx.db.selectFrom('vault_media').select('file_path').execute()
  const unclaimed = await ctx.db.selectFrom('unclaimed_files').select('key').execute()
  return {
    records: records.map(({ file_path }) => file_path),
    unclaimed: unclaimed.map(({ key }) => key),
    files: await storedKeys(ctx.storage),
  }
}

export const noTraces = { records: [], unclaimed: [], files: [] }

type Part = { name: string; fileName?: string; type?: string; value: Uint8Array | string }

export const boundary = 'a-boundary-that-no-file-has'

/** Builds a form as bytes, for misbehaving clients. */
export function formOf(parts: readonly Part[]): Buffer {
  const chunks = parts.flatMap(({ name, fileName, type, value }) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"`,
    type === undefined ? '' : `\r\ncontent-type: ${type}`,
    '\r\n\r\n',
    value,
    '\r\n',
  ])
  return Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk)))
}

export async function sendForm(person: Person, parts: readonly Part[]) {
  const response = await person.fetch('/api/media/upload', {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: new Uint8Array(formOf(parts)),
  })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, body }
}

function mp4Of(brand: string): Buffer {
  const size = (bytes: number) => Buffer.from([0, 0, 0, bytes])
  return Buffer.concat([
    size(20),
    Buffer.from(`ftyp${brand}\0\0\0\0${brand}`),
    size(8),
    Buffer.from('mdat'),
  ])
}

function ebmlOf(docType: string): Buffer {
  const type = [0x42, 0x82, 0x80 + docType.length, ...Buffer.from(docType)]
  return Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80 + type.length, ...type, ...Array(20).fill(0)])
}
