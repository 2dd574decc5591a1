/** Uploads that are too large, break off or cannot be stored: neither a file nor a row remains. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isKey } from '../../src/server/platform/storage/storage.ts'
import { readLines, sharedFile, testCorpus } from '../support/shared-corpora.ts'
import { openDiskStage } from '../support/storage-stages.ts'
import { sendAndHangUp, sendForEver } from '../support/upload-sender.ts'
import { clearShelves } from '../support/vault-media.ts'
import {
  fileOf,
  formOf,
  noTraces,
  pngFile,
  samples,
  sendForm,
  storedKeys,
  tracesIn,
  userIdOf,
} from '../support/vault-world.ts'
import type { WatchedStorage } from '../support/watched-storage.ts'
import { watch } from '../support/watched-storage.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

const bytesPerMb = 1_048_576

let world: World
let storage: WatchedStorage
let stage: Awaited<ReturnType<typeof openDiskStage>>
let ana: Person
let anaId: string

beforeAll(async () => {
  stage = await openDiskStage()
  storage = watch(stage.storage)
  world = await createWorld({}, { storage })
})
beforeEach(async () => {
  await clearShelves(world)
  ana = await world.as('ana')
  anaId = await userIdOf(ana)
})
afterAll(async () => {
  await world.close()
  await stage.stop()
})

function png(bytes: number): Buffer {
  return Buffer.concat([samples.png, Buffer.alloc(bytes - samples.png.length)])
}

async function setLimit(megabytes: number): Promise<void> {
  await world.ctx.db
    .insertInto('settings')
    .values({ key: 'uploadLimitMb', value: JSON.stringify(megabytes), updated_at: new Date() })
    .execute()
}

describe('the limit', () => {
  const tooLarge = {
    error: 'FILE_TOO_LARGE',
    message: 'The file is larger than 1 MB',
    suggestion: 'Choose a file of at most 1 MB, or make this one smaller.',
  }

  test('is the administrators’ setting, to the byte', async () => {
    await setLimit(1)
    const send = (bytes: number) =>
      ana.vault.upload({ form: { file: fileOf(png(bytes), 'a.png', 'image/png') } })
    await send(bytesPerMb)
    expect((await refused(send(bytesPerMb + 1))).body).toEqual(tooLarge)
    // So large that the content length alone shows it.
    expect((await refused(send(8 * bytesPerMb))).body).toEqual(tooLarge)
    expect((await tracesIn(world))['files']).toHaveLength(1)
    expect((await tracesIn(world))['unclaimed']).toEqual([])
  })

  test('applies while the file arrives, also to an endless sender', async () => {
    await setLimit(1)
    const form = formOf([
      { name: 'file', fileName: 'a.png', type: 'image/png', value: samples.png },
    ])
    const head = form.subarray(0, form.length - 40)
    const { answer, sentBytes } = await sendForEver(world, ana, head, 64 * bytesPerMb)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain(JSON.stringify(tooLarge.message))
    expect(sentBytes).toBeLessThan(64 * bytesPerMb)
    expect(await tracesIn(world)).toEqual(noTraces)
    expect(await stage.leftovers()).toEqual([])
  })
})

describe('interrupted', () => {
  test('200 uploads at random moments leave no file and no record', async () => {
    const value = png(300_000)
    const form = formOf([{ name: 'file', fileName: 'a.png', type: 'image/png', value }])
    // The end of the closing boundary is never sent, so the form stays incomplete.
    const maxSent = form.length - 5
    for (let first = 0; first < 200; first += 8)
      await Promise.all(
        Array.from({ length: 8 }, () =>
          sendAndHangUp(world, ana, form, Math.floor(Math.random() * maxSent)),
        ),
      )
    await untilQuiet()
    expect(await tracesIn(world)).toEqual(noTraces)
    expect(await stage.leftovers()).toEqual([])
  })

  test('when only the end of the form is missing', async () => {
    const parts = [{ name: 'file', fileName: 'a.png', type: 'image/png', value: samples.png }]
    const form = formOf([...parts, { name: 'source', value: 'smart-caption' }])
    for (const missing of [5, 20, 40, 60, 120])
      await sendAndHangUp(world, ana, form, form.length - missing)
    await untilQuiet()
    expect(await tracesIn(world)).toEqual(noTraces)
  })
})

describe('a storage that fails', () => {
  const uploadOne = (source: 'general' | 'profile' = 'general') =>
    ana.vault.upload({ form: { file: fileOf(png(200_000), 'a.png', 'image/png'), source } })
  const healthy = { putAfterBytes: null, copy: false, remove: false, list: false, check: false }

  beforeEach(() => void Object.assign(storage.faults, healthy))
  afterAll(() => void Object.assign(storage.faults, healthy))

  test('for this file only is a STORAGE_ERROR', async () => {
    storage.faults.putAfterBytes = 100_000
    const failure = await refused(uploadOne())
    expect(failure).toMatchObject({
      status: 500,
      body: { error: 'STORAGE_ERROR', message: expect.any(String), suggestion: expect.any(String) },
    })
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('for every file is a STORAGE_CONFIG_ERROR', async () => {
    Object.assign(storage.faults, { putAfterBytes: 0, check: true })
    expect(await refused(uploadOne())).toMatchObject({
      status: 503,
      body: {
        error: 'STORAGE_CONFIG_ERROR',
        message: expect.any(String),
        suggestion: expect.any(String),
      },
    })
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('when the file is moved leaves neither of the two', async () => {
    storage.faults.copy = true
    const file = { name: 'file', fileName: 'a.png', type: 'image/png', value: png(5000) }
    const answer = await sendForm(ana, [file, { name: 'source', value: 'babecock' }])
    expect(answer).toMatchObject({ status: 500, body: { error: 'STORAGE_ERROR' } })
    expect(await tracesIn(world)).toEqual(noTraces)
  })

  test('and cannot delete a file either leaves it to the sweep', async () => {
    Object.assign(storage.faults, { copy: true, remove: true })
    const file = { name: 'file', fileName: 'a.png', type: 'image/png', value: png(5000) }
    await sendForm(ana, [file, { name: 'source', value: 'babecock' }])
    expect((await tracesIn(world))['unclaimed']).toHaveLength(2)
    Object.assign(storage.faults, healthy)
    expect((await ana.vault.list()).files).toEqual([])
    world.clock.advance(2 * 3600 * 1000)
    await world.ctx.queue.boss.send('sweep-files', {})
    await world.runJobs()
    expect(await tracesIn(world)).toEqual(noTraces)
  })
})

describe('hostile names', () => {
  /** Expects each to be refused, or stored in the sender's folder under a plain name. */
  async function tryNames(names: readonly string[]): Promise<number> {
    for (const name of names) {
      const response = await ana.fetch('/api/media/upload', {
        method: 'POST',
        body: formDataOf(pngFile(name)),
      })
      expect([200, 400], name).toContain(response.status)
      const { filePath } = (await response.json()) as { filePath?: string }
      if (filePath === undefined) continue
      expect(isKey(filePath), name).toBe(true)
      expect(filePath, name).toMatch(new RegExp(`^users/${anaId}/General/general-\\d{13}-[^/]*$`))
    }
    const { records, unclaimed, files } = await tracesIn(world)
    expect(unclaimed).toEqual([])
    expect(files).toEqual(records?.toSorted())
    return names.length
  }

  testCorpus('of the corpus are refused or made harmless', async () => {
    const nasty = JSON.parse(
      await readFile(sharedFile('corpora/filenames/nasty-filenames.json'), 'utf8'),
    ) as string[]
    const dangerous = ['asp', 'php'].flatMap((kind) =>
      readLines(sharedFile(`corpora/filenames/${kind}-extensions.lst`)).map((end) => `a${end}`),
    )
    return tryNames([...nasty, ...nasty.map((name) => `${name}.png`), ...dangerous])
  })

  testCorpus('of the traversal lists too', async () => {
    const folder = sharedFile('corpora/traversal')
    const lists = (await readdir(folder)).filter((file) => file.endsWith('.txt'))
    const names = lists.flatMap((file) => {
      const lines = readLines(join(folder, file))
      const step = Math.ceil(lines.length / 60)
      return lines.filter((_, index) => index % step === 0)
    })
    return tryNames(names.map((name) => `${name.replaceAll('{FILE}', 'etc/passwd')}.png`))
  })
})

const corpusTest = 'a broken picture is refused, and what is stored can be shared'
testCorpus(corpusTest, () => uploadCorpus(), 600_000)

async function uploadCorpus(): Promise<number> {
  const folder = sharedFile('corpora/images')
  const paths = (await readdir(folder, { recursive: true })).filter((path) =>
    /\.(png|gif|jpe?g|webp|bmp|svg|ico|tif|avif)$/.test(path),
  )
  const types: Record<string, string> = { png: 'png', gif: 'gif', jpg: 'jpeg', jpeg: 'jpeg' }
  const ids: number[] = []
  for (const path of paths) {
    const name = basename(path)
    const extension = name.split('.').at(-1) ?? ''
    const file = fileOf(
      await readFile(join(folder, path)),
      name,
      `image/${types[extension] ?? extension}`,
    )
    for (const source of ['general', 'profile']) {
      const response = await ana.fetch('/api/media/upload', {
        method: 'POST',
        body: formDataOf(file, source),
      })
      const answer = await response.text()
      expect([200, 400], `${path} as ${source}: ${answer}`).toContain(response.status)
      const { media } = JSON.parse(answer) as { media?: { id: number } | null }
      if (media) ids.push(media.id)
    }
  }
  expect(ids.length).toBeGreaterThan(100)
  const { records, unclaimed, files } = await tracesIn(world)
  // A profile picture that was not chosen yet is kept for a day.
  const inVault = (key: string) => !key.includes('/Profile/')
  expect(unclaimed?.filter(inVault)).toEqual([])
  expect(files?.filter(inVault)).toEqual(records?.toSorted())
  for (const id of ids)
    await ana.vault.share({ params: { id: String(id) }, body: { shareToCommunity: false } })
  return paths.length
}

function formDataOf(file: File, source?: string): FormData {
  const form = new FormData()
  if (source !== undefined) form.set('source', source)
  form.set('file', file)
  return form
}

/** Waits until the service is done with the clients that disconnected: at most a minute. */
async function untilQuiet(): Promise<void> {
  let seen = ''
  for (let attempt = 0; attempt < 120; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const unclaimed = await world.ctx.db.selectFrom('unclaimed_files').select('key').execute()
    const now = JSON.stringify([unclaimed, await stage.leftovers(), await storedKeys(storage)])
    if (now === '[[],[],[]]' && seen === now) return
    seen = now
  }
}
