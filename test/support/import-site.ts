/** A remote site to import from. Some of its pictures arrive only when the test releases them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paint } from './caption-world.ts'

export type ImportSite = Awaited<ReturnType<typeof startImportSite>>

/**
 * `/<number>.jpg` is a picture, `/late/<number>.jpg` waits, `/page` is a web page; other paths do not exist.
 */
export async function startImportSite() {
  const waiting = new Set<() => void>()
  let isHolding = true
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const [, late, number] = /^\/(late\/)?(\d+)\.jpg$/.exec(path) ?? []
    if (path === '/page')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello')
    if (number === undefined) return response.writeHead(404).end()
    const send = async () =>
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(await paint(Number(number)))
    return late !== undefined && isHolding ? waiting.add(() => void send()) : void send()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    /** Returns the address in a listing, which needs a host name. */
    postedUrl: (path: string) => `http://pictures.example:${port}${path}`,
    /** Sends the waiting pictures, and later ones at once. */
    release() {
      isHolding = false
      for (const send of waiting) send()
      waiting.clear()
    },
    hold() {
      isHolding = true
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
