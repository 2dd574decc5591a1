/** Concurrent reads while an archive of many files is checked. */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { libraryLimits } from '../../src/server/features/archives/archive-limits.ts'
import type { ArchiveBytes } from '../../src/server/features/archives/zip/archive-bytes.ts'
import { openArchive } from '../../src/server/features/archives/zip/archive-reader.ts'
import { fileOf, manifestOf, sessionOf, slideOf } from '../support/archive-parts.ts'
import { samples } from '../support/vault-world.ts'
import { buildZip } from '../support/zip-builder.ts'

test('the files of an archive are looked at several at once, and never too many', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `sessions/1/${index + 1}.png`)
  const slides = names.map((name) => slideOf(fileOf(name, samples.png)))
  const archive = buildZip([
    ...names.map((name) => ({ name, content: samples.png })),
    { name: 'manifest.json', content: manifestOf([sessionOf(slides)]) },
  ])
  const { bytes, maxConcurrent } = counting(archive)
  const limits = { ...libraryLimits, entryBytes: libraryLimits.manifestBytes }
  const { manifest } = await openArchive(bytes, limits)
  expect(manifest.sessions[0]?.slides).toHaveLength(300)
  expect(maxConcurrent()).toBe(16)
})

/** Returns an archive in memory that answers later and counts concurrent reads. */
function counting(archive: Buffer) {
  let [waiting, max] = [0, 0]
  const bytes: ArchiveBytes = {
    size: archive.length,
    async read(at, length) {
      waiting += 1
      max = Math.max(max, waiting)
      await setImmediate()
      waiting -= 1
      return archive.subarray(at, at + length)
    },
    stream: (start, end) => Promise.resolve(Readable.from([archive.subarray(start, end)])),
  }
  return { bytes, maxConcurrent: () => max }
}
