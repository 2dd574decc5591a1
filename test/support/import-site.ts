/** A far site to import from: pictures, some of which come only when the test lets them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paint } from './caption-world.ts'

export type ImportSite = Awaited<ReturnType<typeof startImportSite>>

/** `/<number>.jpg` is a picture, `/late/<number>.jpg` waits, `/page` is none; the rest is not there. */
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
    /** As a post has it: what a listing names must have a name on the web. */
    postedUrl: (path: string) => `http://pictures.example:${port}${path}`,
    /** Lets come what waits, and all that is asked for later. */
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
