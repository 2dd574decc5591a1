/**
 * Archives that lie about their content, are zip bombs or contain paths outside the folder. Each is
 * refused with its reason and leaves nothing behind.
 */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  fileOf,
  goodArchive,
  manifestOf,
  png,
  sessionOf,
  slideName,
  slideOf,
} from '../support/archive-parts.ts'
import { everythingIn, importArchive } from '../support/archive-world.ts'
import { hostileArchives } from '../support/hostile-archives.ts'
import { boundary, samples } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'
import { buildZip } from '../support/zip-builder.ts'

let world: World
let ana: Person

beforeAll(async () => {
  world = await createWorld()
  ana = await world.as('ana')
})
afterAll(() => world.close())

describe('a hostile archive is refused, and leaves neither a row nor a file', () => {
  test.each(hostileArchives())('$kind: $fault', async ({ bytes, fault, says = '' }) => {
    const { status, body } = await refused(importArchive(ana, bytes))
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { reason: fault, message: expect.stringContaining(says) as string },
    })
    expect(JSON.stringify(body).length).toBeLessThan(600)
    expect(await everythingIn(world)).toEqual({ counts: [0, 0, 0, 0, 0, 0, 0], files: [] })
  })
})

test('an archive that declares too large a size is refused without waiting for it', async () => {
  const response = await sendHead(`${world.url}/api/sessions/import-joip`, ana.jar.header())
  expect(response).toMatch(/^HTTP\/1\.1 400 /)
  expect(response).toContain('"reason":"too-large"')
  expect(await everythingIn(world)).toMatchObject({ files: [] })
})

test('the valid archive that they are made from is accepted', async () => {
  const { skipped } = await importArchive(ana, goodArchive)
  expect(skipped).toEqual([])
  expect((await everythingIn(world)).counts.slice(0, 2)).toEqual([1, 1])
})

test('links that act or have another scheme are left out of an import', async () => {
  const file = fileOf(slideName, samples.png)
  const own = 'http://lanternist.test/api/logout'
  const licence = { name: 'Free', url: own }
  const slides = [
    slideOf(file, {
      feedPostUrl: 'javascript:alert(1)',
      credit: { author: 'A', licence, url: own },
    }),
    slideOf(null, { url: own, missing: 'unreachable' }),
  ]
  const content = manifestOf([sessionOf(slides)])
  const archive = buildZip([png, { name: 'manifest.json', content }])
  const { media } = await importArchive(ana, archive)
  expect(media).toMatchObject([
    { feedPostUrl: null, credit: { author: 'A', licence: { name: 'Free', url: null }, url: null } },
  ])
})

/** Sends the start of a form of 1 GB, and returns the answer that arrives before the rest is sent. */
function sendHead(address: string, cookie: string): Promise<string> {
  const { hostname, port, pathname } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', reject).on('data', (bytes) => {
      resolve(bytes.toString())
      socket.destroy()
    })
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncookie: ${cookie}\r\n` +
        `content-type: multipart/form-data; boundary=${boundary}\r\n` +
        `content-length: ${1024 ** 3}\r\n\r\n--${boundary}\r\n` +
        'content-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK',
    )
  })
}
