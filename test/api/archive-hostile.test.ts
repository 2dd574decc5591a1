/** Archives that lie, explode or climb out: each refused with its reason, and nothing left of it. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goodArchive } from '../support/archive-parts.ts'
import { everythingIn, importArchive } from '../support/archive-world.ts'
import { hostileArchives } from '../support/hostile-archives.ts'
import { boundary } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

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

test('an archive that announces itself as too large is not waited for', async () => {
  const response = await sendHead(`${world.url}/api/sessions/import-joip`, ana.jar.header())
  expect(response).toMatch(/^HTTP\/1\.1 400 /)
  expect(response).toContain('"reason":"too-large"')
  expect(await everythingIn(world)).toMatchObject({ files: [] })
})

test('the archive that they are made of is welcome', async () => {
  const { skipped } = await importArchive(ana, goodArchive)
  expect(skipped).toEqual([])
  expect((await everythingIn(world)).counts.slice(0, 2)).toEqual([1, 1])
})

/** The beginning of a form of a gigabyte; what is answered before any more of it comes. */
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
