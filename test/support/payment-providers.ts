/** Shared support for fake payment providers: JSON responses on 127.0.0.1, and a record of the requests. */
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Asked = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

export type Answer = { readonly status: number; readonly body: unknown }

export type Outage = 'none' | 'hangs up' | 'server error' | 'nonsense' | 'redirect'

export type ProviderServer = {
  readonly url: string
  readonly asked: Asked[]
  /** Sets the failure of later requests. */
  setOutage(outage: Outage): void
  close(): Promise<void>
}

export async function startProvider(
  answer: (asked: Asked) => Answer | Promise<Answer>,
): Promise<ProviderServer> {
  const asked: Asked[] = []
  let outage: Outage = 'none'
  const server = createServer((request, response) => {
    void (async () => {
      const sent = await text(request)
      const entry: Asked = {
        path: request.url ?? '/',
        headers: request.headers,
        body: JSON.parse(sent) as Record<string, unknown>,
      }
      asked.push(entry)
      if (outage === 'hangs up') return request.socket.destroy()
      if (outage === 'server error') return response.writeHead(502).end('<h1>Bad Gateway</h1>')
      if (outage === 'nonsense') return response.writeHead(200).end('{"id":')
      if (outage === 'redirect')
        return response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
      const { status, body } = await answer(entry)
      return response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body))
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    setOutage: (next) => void (outage = next),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
