/** Backup and restore, by the commands of docs/operating/backup.md. */
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWholeBackup, TornBackup } from '../../src/server/backup/manifest.ts'
import { commandsOf, runCommand } from '../support/command.ts'
import type { Caller } from '../support/outage-stage.ts'
import { registerCaller } from '../support/outage-stage.ts'
import { noise } from '../support/pictures.ts'
import { startS3Server } from '../support/s3-server.ts'
import { endServices, startService, unlimited } from '../support/service-process.ts'
import { startSystemPostgres, systemPostgresFolder } from '../support/system-postgres.ts'

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

type Upload = { readonly id: number; readonly sha256: string }

/** Uploads until told to end; each is noted once it was acknowledged. */
function keepUploading(caller: Caller) {
  const acknowledged: Upload[] = []
  let isOver = false
  const going = (async () => {
    for (let seed = 1; !isOver; seed += 1) {
      const bytes = await noise(24, 24, 'png', seed)
      const form = new FormData()
      form.set('file', new File([new Uint8Array(bytes)], `${seed}.png`, { type: 'image/png' }))
      const { status, body } = await caller('/api/media/upload', { method: 'POST', body: form })
      if (status !== 200) continue
      const { media } = body as { media: { id: number } }
      acknowledged.push({ id: media.id, sha256: sha256(bytes) })
    }
  })()
  return {
    acknowledged,
    stop: async () => {
      isOver = true
      await going
    },
  }
}

async function expectUploads(caller: Caller, url: string, uploads: readonly Upload[]) {
  const found = new Map<number, string>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await caller(`${url}/api/user/media?limit=200${cursor && `&cursor=${cursor}`}`)
    // The cookie of the old site is good on the new one: the secret came along.
    expect(answer.status).toBe(200)
    const page = answer.body as { files: { id: number; url: string }[]; nextCursor: string | null }
    for (const file of page.files) found.set(file.id, new URL(file.url, url).href)
    cursor = page.nextCursor
  }
  for (const { id, sha256: expected } of uploads) {
    const answer = await fetch(found.get(id) ?? '')
    expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(expected)
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

test('an embedded site is saved as a kill left it, and goes on in another folder', async () => {
  const settings = { ...unlimited, DATA_DIR: join(root, 'embedded') }
  const service = await startService(settings)
  const caller = await registerCaller(service.url, 'ana')
  const uploads = keepUploading(caller)
  await expect.poll(() => uploads.acknowledged.length).toBeGreaterThan(10)
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
  expect(refusedTorn.stderr).toContain('is torn: secrets.json is not what was saved')
  await expect(readdir(elsewhere.DATA_DIR)).rejects.toThrow('ENOENT')

  expect(await restore(folder, elsewhere)).toMatchObject({ code: 0, stderr: '' })
  const again = await restore(folder, elsewhere)
  expect(again).toMatchObject({ code: 1 })
  expect(again.stderr).toContain('is not empty')
  const restored = await startService(elsewhere)
  await expectUploads(caller, restored.url, told)
  await restored.stop()
})

test('a server is saved under load, and its files go from a folder to S3', async ({ skip }) => {
  if (!systemPostgresFolder()) {
    console.info('skipped: no PostgreSQL of the system with its pg_dump is installed')
    skip('no pg_dump')
  }
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
      .poll(() => Math.min(...uploads.map(({ acknowledged }) => acknowledged.length)))
      .toBeGreaterThan(10)
    const told = uploads.map(({ acknowledged }) => [...acknowledged])
    const folder = join(root, 'server-backup')
    expect(await backup(folder, settings)).toMatchObject({ code: 0, stderr: '' })
    const saved = uploads.map(({ acknowledged }) => acknowledged.length)
    await Promise.all(uploads.map(({ stop }) => stop()))
    // It went on meanwhile.
    expect(saved.reduce((sum, count) => sum + count)).toBeGreaterThan(told.flat().length)
    await service.stop()

    const elsewhere = {
      ...unlimited,
      DATA_DIR: join(root, 'server-again'),
      STORAGE: 's3',
      S3_ENDPOINT: s3.options.endpoint,
      S3_REGION: s3.options.region,
      S3_ACCESS_KEY_ID: s3.options.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.options.secretAccessKey,
      S3_BUCKET_USER_MEDIA: s3.options.buckets['user-media'],
      S3_BUCKET_GENERAL: s3.options.buckets.general,
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
    // The secret that signs is among what was saved, for nobody else to read.
    const secrets = await readFile(join(folder, 'secrets.json'), 'utf8')
    expect(JSON.parse(secrets)).toHaveProperty('SESSION_SECRET')
  } finally {
    await endServices()
    await s3.stop()
    await server.stop()
  }
})
