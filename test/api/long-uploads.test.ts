/** Uploads that take hours: nothing ends them while data arrives. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepUnclaimedFiles } from '../../src/server/features/files/unclaimed-files.ts'
import { goodArchive } from '../support/archive-parts.ts'
import { eventually } from '../support/eventually.ts'
import { formType, openRequest } from '../support/upload-sender.ts'
import { formOf, samples } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let ana: Person

beforeAll(async () => {
  world = await createWorld()
  ana = await world.as('ana')
})
afterAll(() => world.close())

const picture = Buffer.concat([samples.png, Buffer.alloc(2_000_000)])

test.each([
  ['/api/media/upload', picture, 'a.png', 'image/png', 200],
  ['/api/sessions/import-joip', goodArchive, 'a.zip', 'application/zip', 201],
  ['/api/library/import', goodArchive, 'a.zip', 'application/zip', 202],
])('%s takes a file that needs hours', async (path, value, fileName, type, status) => {
  const form = formOf([{ name: 'file', fileName, type, value }])
  const headers = [formType, `content-length: ${form.length}`]
  const request = await openRequest(world, ana, path, headers)
  const pieces = 6
  const step = Math.ceil(form.length / pieces)
  for (let sent = 0; sent < form.length; sent += step) {
    request.socket.write(form.subarray(sent, sent + step))
    await sleep(200)
    world.clock.advance(40 * 60_000)
    await sweepUnclaimedFiles(world.ctx)
  }
  await eventually(() => expect(request.answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `)))
  request.socket.destroy()
})
