/**
 * Takes a backup: the database first, then the files, then the site's secrets. A file is stored before the
 * row that names it, so each file of a row in the backup is in the backup too, unless its owner has removed
 * it meanwhile.
 */
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { version } from '../config/version.ts'
import { lockFolder } from '../platform/folder-lock.ts'
import { StartError } from '../platform/start-error.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { buckets, FileMissing } from '../platform/storage/storage.ts'
import type { BackupFile, BackupHead } from './manifest.ts'
import { countFile, dumpFile, saveFile, secretsFile, writeManifest } from './manifest.ts'
import { inspectServer, runProgram } from './postgres-programs.ts'

export type BackupSummary = { readonly moment: string; readonly files: number }

export async function takeBackup(
  config: Config,
  storage: Storage,
  secrets: Readonly<Record<string, string>>,
  folder: string,
): Promise<BackupSummary> {
  const { databaseUrl, databaseDirectUrl } = config
  const server =
    databaseUrl && databaseDirectUrl ? await lookAtSite(databaseUrl, databaseDirectUrl) : null
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0)
    throw new StartError(`${folder} is not empty; a backup goes into a folder of its own`)
  // Only one process at a time can open the embedded database, and its files do not change while we hold
  // the lock.
  const lock = server ? null : lockFolder(config.dataDir)
  try {
    const database = server
      ? await dumpServer(server, folder)
      : await copyEmbedded(config.dataDir, folder)
    const files = [...database.files]
    for await (const file of copyStorage(storage, folder)) files.push(file)
    files.push(await saveFile(folder, secretsFile, onePiece(JSON.stringify(secrets, null, 2))))
    const { moment } = database
    const head: BackupHead = { format: 1, version, moment, database: database.database }
    await writeManifest(folder, { head, folders: database.folders, files })
    return { moment, files: files.length }
  } catch (error) {
    // Without its manifest it is not a backup, and it may have filled the disk.
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
    throw error
  } finally {
    lock?.release()
  }
}

type SavedDatabase = {
  moment: string
  database: BackupHead['database']
  folders: string[]
  files: BackupFile[]
}

type Site = { readonly url: string; readonly major: number; readonly now: Date }

/** Checks the server through `url`, which must bypass any pooler and lead to the same database. */
async function lookAtSite(databaseUrl: string, url: string): Promise<Site> {
  const seen = await inspectServer(url)
  const usual = url === databaseUrl ? seen : await inspectServer(databaseUrl)
  if (seen.identity !== usual.identity)
    throw new StartError('DATABASE_DIRECT_URL names another database than DATABASE_URL')
  if (!seen.isMigrated) throw new StartError('DATABASE_URL: there is no site in that database')
  return { url, ...seen }
}

async function dumpServer({ url, major, now }: Site, folder: string): Promise<SavedDatabase> {
  // pg_dump would create the file readable for everyone.
  await writeFile(join(folder, dumpFile), '', { mode: 0o600, flag: 'wx' })
  await runProgram('pg_dump', major, url, [
    '--format=custom',
    '--no-owner',
    '--no-privileges',
    `--file=${join(folder, dumpFile)}`,
  ])
  return {
    moment: now.toISOString(),
    database: { kind: 'server', major },
    folders: [],
    files: [await countFile(folder, dumpFile)],
  }
}

async function copyEmbedded(dataDir: string, folder: string): Promise<SavedDatabase> {
  const moment = new Date().toISOString()
  const entries = await readdir(join(dataDir, 'postgres'), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => [])
  if (!entries.some(({ name }) => name === 'PG_VERSION'))
    throw new StartError(`DATA_DIR: there is no database in ${dataDir} yet`)
  const saved: SavedDatabase = { moment, database: { kind: 'embedded' }, folders: [], files: [] }
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(dataDir.length + 1)
    if (entry.isDirectory()) saved.folders.push(name)
    else if (entry.isFile()) saved.files.push(await saveFile(folder, name, createReadStream(path)))
  }
  return saved
}

async function* copyStorage(storage: Storage, folder: string): AsyncGenerator<BackupFile> {
  for (const bucket of buckets)
    for await (const { key } of storage.list(bucket, '')) {
      const source = await storage.read(bucket, key).catch((error: unknown) => {
        if (error instanceof FileMissing) return null
        throw error
      })
      if (source) yield await saveFile(folder, `storage/${bucket}/${key}`, source)
    }
}

async function* onePiece(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
