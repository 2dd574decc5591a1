/**
 * Restores a backup into an empty database and an empty storage. Everything is checked before the first
 * write, and the database is restored in one transaction. After an interruption, start again with an empty
 * target.
 */
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { lockFolder } from '../platform/folder-lock.ts'
import { StartError } from '../platform/start-error.ts'
import { syncFolder, writeDraft } from '../platform/storage/durable-file.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { assertBucket, buckets } from '../platform/storage/storage.ts'
import type { Manifest } from './manifest.ts'
import { dumpFile, secretsFile } from './manifest.ts'
import { inspectServer, runProgram } from './postgres-programs.ts'

/** The temporary folder for the files, on the same file system, so that a rename puts them in place. */
const draftName = 'restoring'
/** Entries that an unused data folder may contain. */
const harmless = new Set(['lock', 'lock-journal', 'lost+found', draftName])

export async function readSecrets(folder: string): Promise<Record<string, string>> {
  const text = await readFile(join(folder, secretsFile), 'utf8')
  return z.record(z.string(), z.string()).parse(JSON.parse(text))
}

/** Restores a backup. `openStorage` opens the storage in the given data folder, or in S3 if configured. */
export async function restoreBackup(
  config: Config,
  openStorage: (dataDir: string) => Promise<Storage>,
  folder: string,
  { head, folders, files }: Manifest,
): Promise<void> {
  const { dataDir, databaseDirectUrl: databaseUrl } = config
  if ((head.database.kind === 'server') !== (databaseUrl !== undefined))
    throw new StartError(
      `the backup is of ${head.database.kind === 'server' ? 'a PostgreSQL server: set DATABASE_URL' : 'an embedded database: remove DATABASE_URL, and move the database afterwards (npm run move-database)'}`,
    )
  const lock = lockFolder(dataDir)
  try {
    const entries = (await readdir(dataDir)).filter((name) => !harmless.has(name))
    if (entries.length > 0)
      throw new StartError(`DATA_DIR: ${dataDir} is not empty; a backup is restored into a new one`)
    if (databaseUrl) await refuseUsed(databaseUrl, head.database)
    const draft = join(dataDir, draftName)
    await rm(draft, { recursive: true, force: true })
    await mkdir(draft, { mode: 0o700 })
    for (const name of folders) await mkdir(join(draft, name), { recursive: true, mode: 0o700 })
    for (const { path } of files)
      if (path.startsWith('postgres/')) await copyFile(join(folder, path), join(draft, path))
    await restoreStorage(await openStorage(draft), folder, files)
    const secrets = await readSecrets(folder)
    if (!config.production && secrets['SESSION_SECRET'])
      await writeFile(join(draft, 'session-secret'), secrets['SESSION_SECRET'], { mode: 0o600 })
    if (databaseUrl) await restoreServer(databaseUrl, folder)
    await moveOut(draft, dataDir)
  } finally {
    lock.release()
  }
}

async function refuseUsed(databaseUrl: string, saved: Manifest['head']['database']): Promise<void> {
  const { isEmpty, major } = await inspectServer(databaseUrl)
  if (!isEmpty)
    throw new StartError('DATABASE_URL: that database is not empty; make a new one (createdb)')
  if (saved.kind === 'server' && major < saved.major)
    throw new StartError(
      `DATABASE_URL: PostgreSQL ${major} cannot restore a dump of PostgreSQL ${saved.major}`,
    )
}

async function restoreServer(databaseUrl: string, folder: string): Promise<void> {
  const { major } = await inspectServer(databaseUrl)
  await runProgram('pg_restore', major, databaseUrl, [
    '--single-transaction',
    '--exit-on-error',
    '--no-owner',
    '--no-privileges',
    join(folder, dumpFile),
  ])
}

async function restoreStorage(
  storage: Storage,
  folder: string,
  files: Manifest['files'],
): Promise<void> {
  try {
    for (const bucket of buckets)
      for await (const { key } of storage.list(bucket, ''))
        throw new StartError(`the storage is not empty: it contains ${bucket}/${key}`)
    for (const { path } of files) {
      const [top, bucket, ...key] = path.split('/')
      if (top !== 'storage') continue
      assertBucket(bucket)
      await storage.put(bucket, key.join('/'), createReadStream(join(folder, path)))
    }
  } finally {
    await storage.close()
  }
}

async function copyFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await writeDraft(to, createReadStream(from))
}

/** Moves the files in place, the database last: a data folder without it is not a site yet. */
async function moveOut(draft: string, dataDir: string): Promise<void> {
  const names = (await readdir(draft)).toSorted(
    (one, other) => Number(one === 'postgres') - Number(other === 'postgres'),
  )
  for (const name of names) await rename(join(draft, name), join(dataDir, name))
  await rm(draft, { recursive: true })
  await syncFolder(dataDir)
}
