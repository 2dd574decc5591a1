/** The export of an account's whole content as a zip (contract 4.1). */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openFileStorage } from '../../src/server/platform/storage/file-storage.ts'
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import { StorageUnreachable } from '../../src/server/platform/storage/storage.ts'
import { eventually } from '../support/eventually.ts'
import { exportOf } from '../support/unzip.ts'
import { pngFile, samples, upload, userIdOf } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: World
let ana: Person
let anaId: string
let dataDir: string
const open = new Set<Readable>()
let filesRead = 0
let breaksOff: string | null = null

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lanternist-export-'))
  world = await createWorld({}, { storage: watched(await openFileStorage({ dataDir })) })
})
beforeEach(async () => {
  breaksOff = null
  await world.reset()
  ana = await world.as('ana')
  anaId = await userIdOf(ana)
})
afterAll(async () => {
  await world.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Counts file reads, tracks the open files, and can break off the read of one file. */
function watched(storage: Storage): Storage {
  return {
    ...storage,
    async read(bucket, key, range) {
      const content = await storage.read(bucket, key, range)
      filesRead += 1
      open.add(content)
      content.once('close', () => open.delete(content))
      return breaksOff === key ? Readable.from(brokenOff(content)) : content
    },
  }
}

async function* brokenOff(content: Readable) {
  for await (const chunk of content) yield (chunk as Buffer).subarray(0, 10)
  throw new StorageUnreachable('The disk went away')
}

describe('an export', () => {
  test('has every record of the account, and describes each file', async () => {
    await upload(ana, 'Käse & Brot 日本.png')
    const session = await ana.sessions.create({
      body: { title: 'Über/alles', subfeeds: 'pictures' },
    })
    await ana.sharing.shareSession({ params: { id: String(session.id) }, body: {} })
    await ana.frames.create({ body: { name: 'Hall', sessionIds: [session.id] } })
    await ana.rooms.open({ body: { sessionId: session.id } })
    await ana.enhancement.giveConsent({ body: { version: 1 } })
    await ana.credits.claimBonus()
    const { names, json, entries, headers } = await exportOf(ana)
    expect(headers.get('content-type')).toBe('application/zip')
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="lanternist-export-\d{4}-\d\d-\d\d\.zip"/,
    )
    const records = names.filter((name) => !name.includes('/'))
    expect(records).toEqual([
      'README.txt',
      'account.json',
      'activity.json',
      'caption-jobs.json',
      'community.json',
      'connections.json',
      'consents.json',
      'daily-bonuses.json',
      'enhancements.json',
      'frames.json',
      'keys.json',
      'library-imports.json',
      'notices.json',
      'passkeys.json',
      'payments.json',
      'plays.json',
      'referrals.json',
      'rooms.json',
      'shares.json',
      'sign-ins.json',
      'transactions.json',
      'trash.json',
      'vault.json',
      'missing.json',
    ])
    const readme = String(entries.get('README.txt'))
    for (const name of records.slice(1)) expect(readme).toContain(name)
    expect(json('account.json')).toEqual(await ana.accounts.currentUser())
    expect(json('transactions.json')).toMatchObject([
      { type: 'grant', amount: 50 },
      { type: 'spend', amount: -25 },
      { type: 'bonus', amount: 5 },
    ])
    // The session in the archive has no `isCopying`: the state of an import means nothing in a file.
    const { isCopying: _, ...kept } = await ana.sessions.read({
      params: { id: String(session.id) },
    })
    expect(json(`sessions/${session.id}-Über_alles.json`)).toEqual(kept)
    expect(json('shares.json')).toMatchObject([{ kind: 'session', sessionId: session.id }])
    expect(json('frames.json')).toMatchObject([{ name: 'Hall', sessionIds: [session.id] }])
    expect(json('rooms.json')).toMatchObject([{ sessionId: session.id, status: 'waiting' }])
    expect(json('consents.json')).toMatchObject([{ to: 'enhancement', version: 1 }])
    expect(json('daily-bonuses.json')).toMatchObject([{ streak: 1 }])
    expect(json('activity.json')).toMatchObject([
      { action: 'login' },
      { action: 'media_uploaded' },
      { action: 'session_shared' },
    ])
    expect(json('missing.json')).toEqual([])
  })

  test('has every file of the account byte by byte, under names that any system accepts', async () => {
    const { id } = await upload(ana, 'Käse & Brot 日本.png')
    await ana.vault.upload({ form: { file: pngFile('me.png'), source: 'profile' } })
    await world.ctx.storage.put('user-media', `users/${anaId}/Uploads/by-hand.gif`, samples.gif)
    const { names, entries, json } = await exportOf(ana)
    const kept = `vault/${id}-Käse & Brot 日本.png`
    expect(sha(entries.get(kept))).toBe(sha(samples.png))
    expect(json('vault.json')).toMatchObject([
      { id: Number(id), originalName: 'Käse & Brot 日本.png' },
      { originalName: 'by-hand.gif' },
    ])
    expect(names.filter((name) => name.endsWith('by-hand.gif'))).toHaveLength(1)
    expect(names.filter((name) => name.startsWith('other-files/Profile/'))).toHaveLength(1)
  })

  test('never contains a password, a secret, another internal field, or another person', async () => {
    const bo = await world.as('bo')
    await upload(bo, 'of-bo.png')
    await upload(ana, 'of-ana.png')
    const { entries, names } = await exportOf(ana)
    const all = Buffer.concat([...entries.values()]).toString('latin1')
    const row = await world.ctx.db
      .selectFrom('users')
      .select(['password_hash'])
      .where('id', '=', anaId)
      .executeTakeFirstOrThrow()
    expect(all).not.toContain(row.password_hash ?? 'no hash')
    expect(all).not.toMatch(/argon2|password_hash|passwordHash|secret_hash|oidc_subject/i)
    expect(all).not.toContain(ana.jar.header().split('=')[1]?.split('.')[0] ?? 'no cookie')
    expect(all).not.toContain(await userIdOf(bo))
    expect(names.join()).not.toContain('of-bo')
  })

  test('is the same every time, except for its time', async () => {
    for (const name of ['b.png', 'a.png', 'c.png']) await upload(ana, name)
    await ana.sessions.createManual({
      body: { title: 'One', slides: [{ mediaUrl: 'https://pictures.example/1.png' }] },
    })
    const [one, two] = [await exportOf(ana), await exportOf(ana)]
    expect(one.names).toEqual(two.names)
    for (const name of one.names.filter((name) => name !== 'README.txt'))
      expect(sha(one.entries.get(name)), name).toBe(sha(two.entries.get(name)))
  })

  test('lists missing files instead of failing', async () => {
    const [gone, broken, fine] = [await upload(ana, 'a.png'), await upload(ana), await upload(ana)]
    await world.ctx.storage.remove('user-media', gone.filePath)
    breaksOff = broken.filePath
    const { json, entries } = await exportOf(ana)
    expect(json('missing.json')).toEqual([
      { name: `vault/${gone.id}-a.png`, path: gone.filePath, reason: 'gone' },
      { name: `vault/${broken.id}-photo.png`, path: broken.filePath, reason: 'broken off' },
    ])
    expect(sha(entries.get(`vault/${fine.id}-photo.png`))).toBe(sha(samples.png))
    expect(open.size).toBe(0)
  })

  test('leaves out content that a report has quarantined', async () => {
    const [reported, fine] = [await upload(ana, 'a.png'), await upload(ana, 'b.png')]
    const { shareCode } = await ana.vault.share({
      params: { id: reported.id },
      body: { shareToCommunity: false },
    })
    const body = {
      targetType: 'shared_media',
      shareCode,
      reason: 'minor',
      details: 'Look',
    } as const
    await world.visitor().moderation.report({ body })
    const { json, names } = await exportOf(ana)
    const name = `vault/${reported.id}-a.png`
    expect(json('missing.json')).toEqual([{ name, path: reported.filePath, reason: 'withheld' }])
    expect(names).not.toContain(name)
    expect(names).toContain(`vault/${fine.id}-b.png`)
  })

  test('of an incomplete account is refused', async () => {
    await world.ctx.db.deleteFrom('credit_accounts').where('user_id', '=', anaId).execute()
    expect((await refused(ana.accounts.exportAccount())).message).toBe('User not found')
  })

  test('contains long lists completely', async () => {
    await world.ctx.db
      .insertInto('activity_log')
      .values(
        Array.from({ length: 1203 }, (_, number) => ({
          user_id: anaId,
          action: 'login',
          feature: 'authentication',
          details: JSON.stringify({ number }),
          created_at: world.clock.now(),
        })),
      )
      .execute()
    const { json } = await exportOf(ana)
    expect(json('activity.json')).toHaveLength(1204)
  })
})

test('a large vault is streamed, not held in memory, and a reader that disconnects ends the export', async () => {
  const fileBytes = 8 * 1024 * 1024
  const content = Buffer.concat([samples.png, Buffer.alloc(fileBytes, 'x')])
  for (let number = 0; number < 12; number += 1) {
    const file = new File([content], `${number}.png`, { type: 'image/png' })
    await ana.vault.upload({ form: { file } })
  }
  filesRead = 0
  const response = await ana.fetch('/api/auth/export')
  const slow = response.body?.getReader()
  let received = (await slow?.read())?.value?.length ?? 0
  // The client stops reading. The service would have time to read the whole vault.
  await sleep(500)
  expect(filesRead).toBeLessThanOrEqual(3)
  for (let part = await slow?.read(); part?.value; part = await slow?.read()) {
    received += part.value.length
    expect(open.size).toBeLessThanOrEqual(1)
    // The bytes that were read but not yet received do not grow with the vault.
    expect(filesRead * fileBytes - received).toBeLessThan(3 * fileBytes)
  }
  expect(received).toBeGreaterThan(12 * fileBytes)

  const leaving = new AbortController()
  const begun = await ana.fetch('/api/auth/export', { signal: leaving.signal })
  const reader = begun.body?.getReader()
  // Between two files, no file is open.
  for (let read = 0; read < fileBytes || open.size === 0;) {
    const part = await reader?.read()
    expect(part?.done).toBe(false)
    read += part?.value?.length ?? 0
  }
  expect(open.size).toBe(1)
  leaving.abort()
  await eventually(() => expect(open.size).toBe(0))
})

function sha(bytes: Uint8Array | undefined): string {
  return createHash('sha256')
    .update(bytes ?? '')
    .digest('hex')
}
