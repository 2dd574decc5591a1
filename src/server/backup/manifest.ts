/**
 * The manifest of a backup. It is written last and ends with a hash of its lines. So an interrupted copy,
 * or one that has lost a file, is distinguished from a complete one.
 */
import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { errorCodeOf, syncFolder, writeDraft } from '../platform/storage/durable-file.ts'
import { isBucket, isKey } from '../platform/storage/storage.ts'

export const dumpFile = 'database.dump'
export const secretsFile = 'secrets.json'

const headSchema = z.object({
  format: z.literal(1),
  version: z.string(),
  /** All data acknowledged before this time is in the backup. */
  moment: z.iso.datetime(),
  database: z.union([
    z.object({ kind: z.literal('embedded') }),
    z.object({ kind: z.literal('server'), major: z.int() }),
  ]),
})

export type BackupHead = z.infer<typeof headSchema>
export type BackupFile = { readonly path: string; readonly size: number; readonly sha256: string }
export type Manifest = {
  readonly head: BackupHead
  /** The folders of the database, some of which are empty but required. */
  readonly folders: readonly string[]
  readonly files: readonly BackupFile[]
}

/** A backup that cannot be restored. The message gives the reason. */
export class TornBackup extends Error {}

const manifestFile = 'manifest'

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const lines = [
    JSON.stringify(manifest.head),
    ...manifest.folders.map((path) => `folder ${path}`),
    ...manifest.files.map(({ path, size, sha256 }) => `${sha256} ${size} ${path}`),
  ].map((line) => `${line}\n`)
  const hash = createHash('sha256')
  for (const line of lines) hash.update(line)
  lines.push(`end ${hash.digest('hex')}\n`)
  const draft = join(folder, `${manifestFile}.draft`)
  await writeDraft(draft, inPieces(lines))
  await rename(draft, join(folder, manifestFile))
  await syncFolder(folder)
}

/** Reads the manifest and checks every file against it. */
export async function readWholeBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  for (const file of manifest.files) {
    const found = await hashFile(join(folder, file.path)).catch((error: unknown) => {
      if (errorCodeOf(error) !== 'ENOENT') throw error
      throw new TornBackup(`the backup in ${folder} is damaged: ${file.path} is missing`)
    })
    if (found.size !== file.size || found.sha256 !== file.sha256)
      throw new TornBackup(
        `the backup in ${folder} is damaged: ${file.path} has changed since it was saved`,
      )
  }
  return manifest
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch((error: unknown) => {
    if (errorCodeOf(error) !== 'ENOENT') throw error
    throw new TornBackup(`${folder} is not a complete backup: it has no manifest`)
  })
  const endAt = text.lastIndexOf('end ')
  const lines = text.slice(0, endAt)
  const hash = createHash('sha256').update(lines).digest('hex')
  if (endAt === -1 || text.slice(endAt) !== `end ${hash}\n`)
    throw new TornBackup(`the backup in ${folder} is damaged: its manifest is incomplete`)
  const [head = '', ...entries] = lines.trimEnd().split('\n')
  const parsed = headSchema.safeParse(JSON.parse(head))
  if (!parsed.success)
    throw new TornBackup(`the backup in ${folder} is of a format that this version does not know`)
  const folders: string[] = []
  const files: BackupFile[] = []
  for (const entry of entries) {
    const [first = '', second = '', third] = entry.split(' ')
    const path = third ?? second
    if (!isBackupPath(path))
      throw new TornBackup(`the backup in ${folder} lists ${path}, which is not a path of a backup`)
    if (third === undefined) folders.push(path)
    else files.push({ path, size: Number(second), sha256: first })
  }
  return { head: parsed.data, folders, files }
}

/** Returns true for paths that a backup can have: a manifest must not give access to other folders. */
function isBackupPath(path: string): boolean {
  if (path === dumpFile || path === secretsFile) return true
  const [top, ...rest] = path.split('/')
  if (top === 'storage') return isBucket(rest[0]) && isKey(rest.slice(1).join('/'))
  return top === 'postgres' && rest.every((part) => /^[\w-][\w.-]*$/.test(part))
}

/** Writes a file of a backup and flushes it to disk before it is counted. */
export async function saveFile(
  folder: string,
  path: string,
  source: AsyncIterable<Uint8Array>,
): Promise<BackupFile> {
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  const count = { size: 0 }
  await writeDraft(target, counted(source, hash, count))
  return { path, size: count.size, sha256: hash.digest('hex') }
}

/** Counts a file that another program has written, and flushes it to disk. */
export async function countFile(folder: string, path: string): Promise<BackupFile> {
  const file = await open(join(folder, path), 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  return { path, ...(await hashFile(join(folder, path))) }
}

async function hashFile(path: string): Promise<{ size: number; sha256: string }> {
  return hashOf(createReadStream(path))
}

/** Reads the source to its end. */
export async function hashOf(
  source: AsyncIterable<Uint8Array>,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of source) {
    hash.update(chunk)
    size += chunk.byteLength
  }
  return { size, sha256: hash.digest('hex') }
}

async function* counted(
  source: AsyncIterable<Uint8Array>,
  hash: Hash,
  count: { size: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    hash.update(chunk)
    count.size += chunk.byteLength
    yield chunk
  }
}

async function* inPieces(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < lines.length; at += 1000)
    yield Buffer.from(lines.slice(at, at + 1000).join(''))
}
