/** Backup and restore, with the commands of docs/operating/backup.md. */
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWholeBackup, TornBackup } from '../../src/server/backup/manifest.ts'
import { takeBackup } from '../../src/server/backup/take-backup.ts'
import { parseConfig } from '../../src/server/config/config.ts'
import { createStorage } from '../../src/server/open-context.ts'
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import { commandsOf, runCommand } from '../support/command.ts'
import { registerCaller } from '../support/outage-stage.ts'
import { expectUploads, keepUploading } from '../support/kept-uploads.ts'
import { s3Settings, startS3Server } from '../support/s3-server.ts'
import { endServices, startService, unlimited } from '../support/service-process.ts'
import { startSystemPostgres, systemPostgresFolder } from '../support/system-postgres.ts'

// Each test starts several processes one after the other.
const slow = { timeout: 600_000 }
const patient = { timeout: 120_000 }

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'lanternist-backup-'))
})
afterAll(async () => {
  await endServices()
  await rm(root, { recursive: true, force: true })
})

const [backupLine = '', restoreLine = ''] = ['npm run backup', 'npm run restore'].flatMap(
  (start) => commandsOf('docs/operating/backup.md', start, {})[0] ?? '',
)

function backup(folder: string, settings: Record<string, string>) {
  return runCommand(backupLine.replace(/\S+$/, folder), settings)
}

function restore(folder: string, settings: Record<string, string>) {
  return runCommand(restoreLine.replace(/\S+$/, folder), settings)
}

test(
  'an embedded site is saved as a kill left it, and goes on in another folder',
  slow,
  async () => {
    const settings = { ...unlimited, DATA_DIR: join(root, 'embedded') }
    const service = await startService(settings)
    const caller = await registerCaller(service.url, 'ana')
    const uploads = keepUploading(caller)
    await expect.poll(() => uploads.acknowledged.length, patient).toBeGreaterThan(4)
    const refused = await backup(join(root, 'refused'), settings)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('is in use by another process')
    const told = [...uploads.acknowledged]
    await service.kill()
    await uploads.stop()
    const folder = join(root, 'embedded-backup')
    expect(await backup(folder, settings)).toMatchObject({ code: 0, stderr: '' })

    const elsewhere = { ...unlimited, DATA_DIR: join(root, 'embedded-again') }
    const torn = [
      ['no manifest', (copy: string) => rm(join(copy, 'manifest'))],
      ['half a manifest', (copy: string) => truncate(join(copy, 'manifest'), 2000)],
      ['another byte', (copy: string) => writeFile(join(copy, 'secrets.json'), '{}')],
      ['a file less', (copy: string) => rm(join(copy, 'postgres/PG_VERSION'))],
    ] as const
    for (const [name, tear] of torn) {
      const copy = join(root, name.replaceAll(' ', '-'))
      await cp(folder, copy, { recursive: true })
      await tear(copy)
      await expect(readWholeBackup(copy), name).rejects.toThrow(TornBackup)
    }
    const refusedTorn = await restore(join(root, 'another-byte'), elsewhere)
    expect(refusedTorn.code).toBe(1)
    expect(refusedTorn.stderr).toContain('is damaged: secrets.json has changed since it was saved')
    await expect(readdir(elsewhere.DATA_DIR)).rejects.toThrow('ENOENT')

    expect(await restore(folder, elsewhere)).toMatchObject({ code: 0, stderr: '' })
    const again = await restore(folder, elsewhere)
    expect(again).toMatchObject({ code: 1 })
    expect(again.stderr).toContain('is not empty')
    const restored = await startService(elsewhere)
    await expectUploads(caller, restored.url, told)
    await restored.stop()
  },
)

test('a backup that finds no room leaves nothing behind', async () => {
  const DATA_DIR = join(root, 'no-room')
  await mkdir(join(DATA_DIR, 'postgres'), { recursive: true })
  await writeFile(join(DATA_DIR, 'postgres/PG_VERSION'), '17')
  const config = parseConfig({ DATA_DIR })
  const storage = await createStorage(config)
  const full: Storage = {
    ...storage,
    async *list() {
      yield { key: 'users/a/one.png', size: 1, lastModified: new Date(0) }
    },
    read: async () => Readable.from(fullDisk()),
  }
  const folder = join(root, 'no-room-backup')
  await expect(takeBackup(config, full, {}, folder)).rejects.toThrow('ENOSPC')
  expect(await readdir(folder)).toEqual([])
  await storage.close()
})

async function* fullDisk(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(1000)
  throw new Error('ENOSPC: no space left on device, write')
}

test(
  'a server is saved under load, and its files go from a folder to S3',
  slow,
  async ({ skip }) => {
    skip(!systemPostgresFolder(), 'no PostgreSQL of the system with its pg_dump is installed')
    const server = await startSystemPostgres()
    const s3 = await startS3Server()
    try {
      await server.administer('create database before')
      await server.administer('create database after')
      const settings = {
        ...unlimited,
        DATA_DIR: join(root, 'server'),
        DATABASE_URL: server.urlOf('before'),
      }
      const service = await startService(settings)
      const callers = await Promise.all(
        ['ana', 'bo'].map((name) => registerCaller(service.url, name)),
      )
      const uploads = callers.map(keepUploading)
      await expect
        .poll(() => Math.min(...uploads.map(({ acknowledged }) => acknowledged.length)), patient)
        .toBeGreaterThan(4)
      const told = uploads.map(({ acknowledged }) => [...acknowledged])
      const folder = join(root, 'server-backup')
      for (const [wrong, reason] of [
        [{ DATA_DIR: join(root, 'nowhere') }, 'there is no site in'],
        [{ DATABASE_URL: server.urlOf('after') }, 'there is no site in that database'],
        [{ DATABASE_DIRECT_URL: server.urlOf('after') }, 'names another database'],
      ] as const) {
        const refused = await backup(folder, { ...settings, ...wrong })
        expect(refused).toMatchObject({ code: 1, stdout: '' })
        expect(refused.stderr).toContain(reason)
      }
      expect(await readdir(root)).not.toContain('nowhere')
      expect(await backup(folder, settings)).toMatchObject({ code: 0, stderr: '' })
      const saved = uploads.map(({ acknowledged }) => acknowledged.length)
      await Promise.all(uploads.map(({ stop }) => stop()))
      // Uploads continued during the backup.
      expect(saved.reduce((sum, count) => sum + count)).toBeGreaterThan(told.flat().length)
      await service.stop()

      const elsewhere = {
        ...unlimited,
        DATA_DIR: join(root, 'server-again'),
        ...s3Settings(s3.options),
      }
      const wrong = await restore(folder, elsewhere)
      expect(wrong.stderr).toContain('set DATABASE_URL')
      const used = await restore(folder, { ...elsewhere, DATABASE_URL: settings.DATABASE_URL })
      expect(used.stderr).toContain('that database is not empty')
      const target = { ...elsewhere, DATABASE_URL: server.urlOf('after') }
      expect(await restore(folder, target)).toMatchObject({ code: 0, stderr: '' })
      const restored = await startService(target)
      for (const [index, caller] of callers.entries())
        await expectUploads(caller, restored.url, told[index] ?? [])
      await restored.stop()
      const { mode } = await stat(join(folder, 'database.dump'))
      expect(mode & 0o777).toBe(0o600)
      // The backup contains the signing secret. Only its owner can read the files.
      const secrets = await readFile(join(folder, 'secrets.json'), 'utf8')
      expect(JSON.parse(secrets)).toHaveProperty('SESSION_SECRET')
    } finally {
      await endServices()
      await s3.stop()
      await server.stop()
    }
  },
)
