/** Pictures and videos of strangers in the vault: enriched or failed, never stuck. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { sharedFile, testShared } from '../support/shared-corpora.ts'
import { useWorld } from '../support/use-world.ts'
import { createVaultWorld, download, placeFile } from '../support/vault-media.ts'
import type { Person, World } from '../support/world.ts'

let world: World
let ana: Person

useWorld(createVaultWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
})

const minuteMs = 60_000
/** Runs the due jobs and their retries, until a job would have no retries left. */
async function runThroughRetries(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await world.runJobs()
    world.clock.advance(2 * minuteMs)
  }
}

/** Puts the files into the storage directly, past the checks of uploads, and lists them into the vault. */
async function throughEnrichment(folder: string, { every = 1 } = {}): Promise<number> {
  const { id: userId } = await ana.accounts.currentUser()
  const names = readdirSync(sharedFile(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(png|jpe?g|gif|webp|mp4|mov|webm)$/.test(name))
    .toSorted()
    .filter((_, index) => index % every === 0)
  for (const name of names)
    await placeFile(
      world,
      userId,
      `Uploads/${name.replaceAll(/[^\w.-]/g, '_')}`,
      readFileSync(sharedFile(`${folder}/${name}`)),
    )
  const { files } = await ana.vault.list()
  expect(files).toHaveLength(names.length)
  const before = process.memoryUsage.rss()
  let max = before
  const watch = setInterval(() => (max = Math.max(max, process.memoryUsage.rss())), 20)
  await runThroughRetries()
  clearInterval(watch)
  const after = await ana.vault.list()
  const stuck = after.files.filter(
    ({ enrichmentStatus }) => enrichmentStatus !== 'completed' && enrichmentStatus !== 'failed',
  )
  expect(stuck.map(({ name }) => name)).toEqual([])
  const failed = after.files.filter(({ enrichmentStatus }) => enrichmentStatus === 'failed')
  console.info(
    `${folder}: ${names.length - failed.length} completed, ${failed.length} failed, memory grew by ` +
      `${Math.round((max - before) / 1_048_576)} MB at most`,
  )
  expect(max - before).toBeLessThan(500 * 1_048_576)
  for (const { thumbnails } of after.files)
    for (const { url } of thumbnails) await download(world, url)
  return names.length
}

testShared('broken pictures end completed or failed, and take no memory', () =>
  throughEnrichment('corpora/images/broken', { every: 6 }),
)
testShared('the PNG suite ends completed or failed', () =>
  throughEnrichment('corpora/images/pngsuite', { every: 12 }),
)
testShared('photographs with places end completed', () =>
  throughEnrichment('corpora/images/exif', { every: 3 }),
)
testShared('media of every kind end completed or failed', () =>
  throughEnrichment('corpora/media', { every: 2 }),
)
