/**
 * Moving from the embedded database to a server and from the disk to S3, with the commands of
 * docs/operating/moving.md.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { moveFiles } from '../../src/server/backup/move-storage.ts'
import { openFileStorage } from '../../src/server/platform/storage/file-storage.ts'
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import { commandsOf, runCommand } from '../support/command.ts'
import { expectUploads, keepUploading } from '../support/kept-uploads.ts'
import { registerCaller } from '../support/outage-stage.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { s3Settings, startS3Server } from '../support/s3-server.ts'
import { endServices, startService, unlimited } from '../support/service-process.ts'

const lines = commandsOf('docs/operating/moving.md', 'npm run move', {})

test('what is deleted between two runs is not found again in the store', async () => {
  const root = await mkdtemp(join(tmpdir(), 'lanternist-moving-'))
  const [from, to] = await Promise.all(
    ['from', 'to'].map((name) => openFileStorage({ dataDir: join(root, name) })),
  )
  if (!from || !to) throw new Error('there are two')
  const record = join(root, '.moved')
  const put = (storage: Storage, key: string) =>
    storage.put('user-media', key, Buffer.from(`this is ${key}`))
  const isThere = async (key: string) => (await to.stat('user-media', key)) !== null
  try {
    for (const key of ['users/a/stays', 'users/a/goes']) await put(from, key)
    expect(await moveFiles(from, to, record)).toEqual({ copied: 2, present: 0, removed: 0 })
    await from.remove('user-media', 'users/a/goes')
    await put(from, 'users/a/comes')
    await put(to, 'users/a/of-the-store-itself')
    expect(await moveFiles(from, to, record)).toEqual({ copied: 1, present: 1, removed: 1 })
    expect(await isThere('users/a/goes')).toBe(false)
    for (const key of ['users/a/stays', 'users/a/comes', 'users/a/of-the-store-itself'])
      expect(await isThere(key), key).toBe(true)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})

test('a site moves with every row and file, and goes on', { timeout: 600_000 }, async () => {
  const root = await mkdtemp(join(tmpdir(), 'lanternist-moving-'))
  const server = await startPostgres({ fsync: false })
  const s3 = await startS3Server()
  try {
    await server.administer('create database moved')
    const before = { ...unlimited, DATA_DIR: join(root, 'data') }
    const service = await startService(before)
    const caller = await registerCaller(service.url, 'ana')
    const uploads = keepUploading(caller)
    await expect.poll(() => uploads.acknowledged.length, { timeout: 120_000 }).toBeGreaterThan(1)
    // Killed, so that its folder still has waiting jobs.
    await service.kill()
    await uploads.stop()

    const after = {
      ...before,
      ...s3Settings(s3.options),
      DATABASE_URL: server.urlOf('moved'),
    }
    expect(lines).toEqual(['npm run move-database', 'npm run move-storage'])
    const [database, storage] = await Promise.all(lines.map((line) => runCommand(line, after)))
    expect(database).toMatchObject({ code: 0, stderr: '' })
    expect(database?.stdout).toMatch(/^moved \d{2,} rows of \d{2,} tables, and compared each row;/)
    expect(storage).toMatchObject({ code: 0, stderr: '' })
    expect(storage?.stdout).toMatch(
      /^copied [1-9]\d* files, skipped 0 that were already in the store/,
    )
    const again = await runCommand(lines[0] ?? '', after)
    expect(again).toMatchObject({ code: 1 })
    expect(again.stderr).toContain('that database is not empty')
    await rm(join(before.DATA_DIR, 'storage'), { recursive: true })
    await rm(join(before.DATA_DIR, 'postgres'), { recursive: true })
    const moved = await startService(after)
    await expectUploads(caller, moved.url, uploads.acknowledged)
    await moved.stop()
  } finally {
    await endServices()
    await s3.stop()
    await server.stop()
    await rm(root, { recursive: true, force: true })
  }
})
