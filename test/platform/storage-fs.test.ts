// Errors that only a disk can have: drafts of a killed process, links, folders, a lost volume.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartError } from '../../src/server/platform/start-error.ts'
import { openFileStorage } from '../../src/server/platform/storage/file-storage.ts'
import {
  FileMissing,
  InvalidKey,
  StorageFull,
  StorageUnreachable,
} from '../../src/server/platform/storage/storage.ts'
import type { Storage } from '../../src/server/platform/storage/storage.ts'

let dataDir: string
let bucketFolder: string
let storage: Storage

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lanternist-disk-'))
  bucketFolder = join(dataDir, 'storage', 'user-media')
  storage = await openFileStorage({ dataDir })
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

async function comeAndGo(key: string): Promise<void> {
  for (let round = 0; round < 40; round += 1) {
    await storage.put('user-media', key, Buffer.from(key))
    await storage.remove('user-media', key)
  }
}

test('drafts of a killed process are swept at the next start, those at work are left', async () => {
  const old = join(bucketFolder, '.drafts', 'old')
  const young = join(bucketFolder, '.drafts', 'young')
  await writeFile(old, 'half a file')
  await writeFile(young, 'half a file')
  const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
  await utimes(old, twoHoursAgo, twoHoursAgo)
  await openFileStorage({ dataDir })
  expect(await readdir(join(bucketFolder, '.drafts'))).toEqual(['young'])
})

test('a file is not seen under its name before all of it is there', async () => {
  async function* watched() {
    yield Buffer.from('first half, ')
    expect(await storage.stat('user-media', 'a/b.jpg')).toBeNull()
    expect(await readdir(join(bucketFolder, '.drafts'))).toHaveLength(1)
    yield Buffer.from('second half')
  }
  await storage.put('user-media', 'a/b.jpg', watched())
  expect(await storage.stat('user-media', 'a/b.jpg')).toMatchObject({ size: 23 })
  expect(await readdir(join(bucketFolder, '.drafts'))).toEqual([])
})

test('folders that a removal leaves empty go with it, others stay', async () => {
  await storage.put('user-media', 'users/1/General/a.jpg', Buffer.from('a'))
  await storage.put('user-media', 'users/2/General/b.jpg', Buffer.from('b'))
  await storage.remove('user-media', 'users/1/General/a.jpg')
  expect(await readdir(join(bucketFolder, 'users'))).toEqual(['2'])
  await storage.remove('user-media', 'users/2/General/b.jpg')
  expect(await readdir(bucketFolder)).toEqual(['.drafts'])
})

test('puts and removals in one folder do not trip over each other', async () => {
  // Each removal may delete the folder that another put has just created.
  await Promise.all([1, 2, 3, 4].map((n) => comeAndGo(`busy/folder/${n}.jpg`)))
  expect(await readdir(bucketFolder)).toEqual(['.drafts'])
})

test('a link planted in the folder is not served, copied or listed', async () => {
  await writeFile(join(dataDir, 'secret'), 'the session secret')
  await symlink(join(dataDir, 'secret'), join(bucketFolder, 'link.jpg'))
  await expect(storage.read('user-media', 'link.jpg')).rejects.toThrow(FileMissing)
  expect(await storage.stat('user-media', 'link.jpg')).toBeNull()
  const from = { bucket: 'user-media', key: 'link.jpg' } as const
  await expect(storage.copy(from, { bucket: 'general', key: 'a.jpg' })).rejects.toThrow(FileMissing)
  for await (const { key } of storage.list('user-media', '')) expect.fail(key)
})

test('a folder is not a file', async () => {
  await storage.put('user-media', 'users/1/a.jpg', Buffer.from('a'))
  expect(await storage.stat('user-media', 'users/1')).toBeNull()
  expect(await storage.stat('user-media', 'users/1/a.jpg/b')).toBeNull()
  await expect(storage.read('user-media', 'users')).rejects.toThrow(FileMissing)
  await storage.remove('user-media', 'users/1')
  await expect(storage.put('user-media', 'users/1', Buffer.from('x'))).rejects.toThrow(InvalidKey)
  await expect(storage.put('user-media', 'users/1/a.jpg/b', Buffer.from('x'))).rejects.toThrow(
    InvalidKey,
  )
  expect(await readdir(join(bucketFolder, '.drafts'))).toEqual([])
  expect(await storage.stat('user-media', 'users/1/a.jpg')).toMatchObject({ size: 1 })
})

test('files of other tools in the folder are not listed', async () => {
  await mkdir(join(bucketFolder, '.cache'))
  await writeFile(join(bucketFolder, '.cache', 'x.jpg'), '')
  await writeFile(join(bucketFolder, '.DS_Store'), '')
  await writeFile(join(bucketFolder, 'with space.jpg'), '')
  await storage.put('user-media', 'ours.jpg', Buffer.from('a'))
  const keys: string[] = []
  for await (const { key } of storage.list('user-media', '')) keys.push(key)
  expect(keys).toEqual(['ours.jpg'])
})

test('a volume that went away is an outage, not an empty storage that fills the wrong disk', async () => {
  await rm(join(dataDir, 'storage'), { recursive: true })
  const endless = new Readable({ read() {} })
  await expect(storage.put('user-media', 'a.jpg', endless)).rejects.toThrow(StorageUnreachable)
  expect(endless.destroyed).toBe(true)
  await expect(storage.check()).rejects.toThrow(
    "Storage folder 'user-media' cannot be written: ENOENT",
  )
  await writeFile(join(dataDir, 'storage'), 'a file where the folder was')
  await expect(storage.put('general', 'a.jpg', Buffer.from('a'))).rejects.toThrow(
    StorageUnreachable,
  )
  await expect(storage.check()).rejects.toThrow(StorageUnreachable)
  await expect(openFileStorage({ dataDir })).rejects.toThrow(StartError)
})

test('chunks passed with givenAway are written like others, and free their memory', async () => {
  const whole = Array.from({ length: 20 }, (_, n) => new Uint8Array(65_536).fill(n))
  const shared = new Uint8Array(2_000_000).fill(99)
  const part = shared.subarray(0, 1_200_000)
  async function* source() {
    yield* whole
    yield part
    yield Uint8Array.of(1, 2, 3)
  }
  const expected = Buffer.concat([...whole, part, Uint8Array.of(1, 2, 3)])
  const { size } = await storage.put('general', 'kept/1', source())
  expect(size).toBe(expected.length)
  expect(whole.every(({ byteLength }) => byteLength === 65_536)).toBe(true)
  await storage.put('general', 'given/1', source(), { givenAway: true })
  for (const name of ['kept', 'given']) {
    const written = await readFile(join(dataDir, 'storage', 'general', name, '1'))
    expect(written.equals(expected)).toBe(true)
  }
  expect(whole.slice(0, 16).map(({ byteLength }) => byteLength)).toEqual(Array(16).fill(0))
  // Other code may still use memory that is larger than the written part.
  expect(shared.byteLength).toBe(2_000_000)
})

/** Mounts a small disk, which needs rights that not every machine gives. */
async function mountSmallDisk(folder: string): Promise<boolean> {
  const mount = promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
  return mount.then(
    () => true,
    () => false,
  )
}

test('a disk without room says so, keeps nothing of the file, and goes on when there is room', async (context) => {
  const disk = await mkdtemp(join(tmpdir(), 'lanternist-small-disk-'))
  if (!(await mountSmallDisk(disk))) {
    await rm(disk, { recursive: true })
    context.skip('a small disk cannot be mounted here')
  }
  try {
    const small = await openFileStorage({ dataDir: disk })
    await small.put('user-media', 'a.jpg', Buffer.alloc(600_000))
    const tooMuch = Readable.from([Buffer.alloc(300_000), Buffer.alloc(600_000)])
    await expect(small.put('user-media', 'b.jpg', tooMuch)).rejects.toThrow(StorageFull)
    const from = { bucket: 'user-media', key: 'a.jpg' } as const
    const copied = small.copy(from, { bucket: 'general', key: 'a.jpg' })
    await expect(copied).rejects.toThrow(StorageFull)
    for (const bucket of ['user-media', 'general'])
      expect(await readdir(join(disk, 'storage', bucket, '.drafts'))).toEqual([])
    await small.remove('user-media', 'a.jpg')
    expect(await small.put('user-media', 'b.jpg', Buffer.alloc(900_000))).toEqual({ size: 900_000 })
  } finally {
    await promisify(execFile)('umount', [disk])
    await rm(disk, { recursive: true })
  }
})
