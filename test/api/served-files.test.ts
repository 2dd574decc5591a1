/**
 * Pictures that are also valid files of another type: the response for other people (`npm run faults
 * media`).
 */
import { expect, test } from 'vitest'
import { makePolyglots } from '../support/polyglots.ts'
import type { Taken } from '../support/served-files.ts'
import { faultsOfServed, tryUpload } from '../support/served-files.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import { useWorld } from '../support/use-world.ts'

let world: SessionWorld

useWorld(createSessionWorld, async (fresh) => {
  world = fresh
})

test('neither a script nor the place of capture is served with a picture', async () => {
  const [ana, bo] = [await world.as('ana'), await world.as('bo')]
  const taken: Taken[] = []
  for (const file of await makePolyglots()) {
    const upload = await tryUpload(ana, file)
    if (upload) taken.push(upload)
  }
  const names = taken.map(({ name }) => name)
  expect(names).toContain('page in a comment.jpg')
  expect(names).not.toContain('page alone.png')
  const { served, faults } = await faultsOfServed(ana, bo, taken, world.url)
  expect(faults).toEqual([])
  expect(served).toBe(taken.length)
}, 30_000)
