/** Folders in both storages: their files, and detecting a change without listing them. */
import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createS3Storage } from '../../src/server/platform/storage/s3-storage.ts'
import type { FolderEntry } from '../../src/server/platform/storage/storage.ts'
import type { StorageStage } from '../support/storage-stages.ts'
import { openDiskStage, openS3Stage } from '../support/storage-stages.ts'

const bytes = Buffer.from('0123456789')

async function entriesOf(listing: AsyncIterable<FolderEntry>): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = []
  for await (const entry of listing) entries.push(entry)
  return entries
}

describe.each([
  ['disk', openDiskStage],
  ['S3', openS3Stage],
])('on %s', (_, open) => {
  let stage: StorageStage

  beforeAll(async () => {
    stage = await open()
    for (const key of ['a/b/1.png', 'a/b/2.png', 'a/b/c/3.png', 'a/bb/4.png', 'a/5.png'])
      await stage.storage.put('user-media', key, bytes)
    await stage.storage.put('general', 'a/b/6.png', bytes)
  })
  afterAll(() => stage.stop())

  test('a folder lists its own files, and not those below or beside it', async () => {
    const entries = await entriesOf(stage.storage.listFolder('user-media', 'a/b/'))
    expect(entries.map(({ key }) => key).toSorted()).toEqual(['a/b/1.png', 'a/b/2.png'])
    for (const { look } of entries)
      expect(await look()).toMatchObject({ size: 10, lastModified: expect.any(Date) })
  })

  test('a folder that is not there has no files', async () => {
    expect(await entriesOf(stage.storage.listFolder('user-media', 'none/'))).toEqual([])
  })

  test('a folder that could escape the root is refused', async () => {
    for (const folder of ['../', 'a/../', '/etc/', 'a//'])
      await expect(entriesOf(stage.storage.listFolder('user-media', folder))).rejects.toThrow(
        /Not a storage key/,
      )
  })
})

describe('the fingerprint of a folder', () => {
  let stage: Awaited<ReturnType<typeof openDiskStage>>
  const fingerprint = (folder = 'a/b/') => stage.storage.fingerprint!('user-media', folder)
  const settle = () => new Promise((resolve) => setTimeout(resolve, 2100))

  beforeAll(async () => {
    stage = await openDiskStage()
    await stage.storage.put('user-media', 'a/b/1.png', bytes)
    await settle()
  })
  afterAll(() => stage.stop())

  test('stays while no file is added or removed', async () => {
    const before = await fingerprint()
    expect(before).not.toBeNull()
    await stage.storage.read('user-media', 'a/b/1.png').then((file) => file.destroy())
    await stage.storage.put('user-media', 'a/2.png', bytes)
    expect(await fingerprint()).toBe(before)
  })

  test('is not returned while the folder could change unnoticed', async () => {
    await stage.storage.put('user-media', 'fresh/1.png', bytes)
    expect(await fingerprint('fresh/')).toBeNull()
  })

  test('changes with every added or removed file, even if its time is set back', async () => {
    const path = join(stage.folder, 'user-media/a/b')
    const seen = new Set([await fingerprint()])
    for (const change of [
      () => stage.storage.put('user-media', 'a/b/3.png', bytes),
      () => writeFile(join(path, '4.png'), bytes),
      () => stage.storage.remove('user-media', 'a/b/3.png'),
      async () => {
        await rm(join(path, '4.png'))
        await utimes(path, 1, 1)
      },
    ]) {
      await change()
      await settle()
      seen.add(await fingerprint())
    }
    expect(seen.size).toBe(5)
    expect(seen).not.toContain(null)
  })

  test('distinguishes a missing folder from an empty one', async () => {
    expect(await fingerprint('c/')).toBe('none')
    await mkdir(join(stage.folder, 'user-media/c'))
    expect(await fingerprint('c/')).not.toBe('none')
  })

  test('is that of the folder which a link leads to', async () => {
    await symlink(join(stage.folder, 'user-media/a/b'), join(stage.folder, 'user-media/link'))
    expect(await fingerprint('link/')).toBe(await fingerprint())
  })
})

test('S3 has none', async () => {
  const stage = await openS3Stage()
  expect(stage.storage.fingerprint).toBeNull()
  await stage.stop()
})

describe('many files are all listed', () => {
  test('on disk', async () => {
    const stage = await openDiskStage()
    const folder = join(stage.folder, 'general/many')
    await mkdir(folder)
    for (let number = 0; number < 2500; number += 1)
      await writeFile(join(folder, `${number}.png`), bytes)
    const entries = await entriesOf(stage.storage.listFolder('general', 'many/'))
    expect(new Set(entries.map(({ key }) => key)).size).toBe(2500)
    await stage.stop()
  })

  test('on S3, page by page', async () => {
    const asked: (string | null)[] = []
    // A hand-written server: s3rver cannot list a second page with a current OpenSSL.
    const server = createServer((request, response) => {
      const query = new URL(request.url ?? '', 'http://localhost').searchParams
      const token = query.get('continuation-token')
      asked.push(token)
      const next = { null: 'one', one: 'two' }[String(token)]
      response.writeHead(200, { 'content-type': 'application/xml' })
      response.end(`<?xml version="1.0"?><ListBucketResult>
        <IsTruncated>${next !== undefined}</IsTruncated>
        ${next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`}
        <Contents><Key>a/${token}.png</Key><Size>3</Size>
          <LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>
      </ListBucketResult>`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const storage = createS3Storage({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
      buckets: { 'user-media': 'one', general: 'two' },
    })
    const entries = await entriesOf(storage.listFolder('general', 'a/'))
    await storage.close()
    server.close()
    expect(asked).toEqual([null, 'one', 'two'])
    expect(entries.map(({ key }) => key)).toEqual(['a/null.png', 'a/one.png', 'a/two.png'])
    expect(await entries[1]!.look()).toEqual({
      size: 3,
      lastModified: new Date('2026-01-02T03:04:05Z'),
    })
  })
})
