/**
 * A proxy before a service that can present its web client as a newer build: all built files then have other
 * names, and those of the old build are gone, as after an update of a site.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type SecondBuild = {
  readonly url: string
  update(): void
  close(): Promise<void>
}

/**
 * 'base-vlQqD43N.js' becomes 'base-vlQqD43N.new.js': a hash has no dot, so the mark cannot be part of one.
 */
const builtName = /([\w-]+-[\w-]{8})(\.new)?(\.(?:js|css)\b)/g
const markOf = (isNew: boolean) => (isNew ? '.new' : undefined)

export async function startSecondBuild(serviceUrl: string): Promise<SecondBuild> {
  let isNew = false

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const isAsset = path.startsWith('/assets/')
    const [, , mark] = [...path.matchAll(builtName)][0] ?? []
    const isText = isAsset || !/^\/(api|media)\//.test(path)
    if (isAsset && /\.(js|css)$/.test(path) && mark !== markOf(isNew)) {
      response.writeHead(404).end()
      return
    }
    const headers = {
      ...(request.headers as Record<string, string>),
      'accept-encoding': 'identity',
    }
    const asked = isAsset ? path.replace(builtName, '$1$3') : path
    const answer = await fetch(serviceUrl + asked, { headers, redirect: 'manual' })
    const body = Buffer.from(await answer.arrayBuffer())
    const isMine = isText && /javascript|html|css/.test(answer.headers.get('content-type') ?? '')
    const told = [...answer.headers].filter(
      ([name]) =>
        !/^(content-length|connection|transfer-encoding|etag|last-modified|content-encoding)$/.test(
          name,
        ),
    )
    response.writeHead(answer.status, Object.fromEntries(told))
    response.end(isMine && isNew ? renamed(body.toString()) : body)
  }

  const server = createServer((request, response) => {
    relay(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    update: () => void (isNew = true),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Renames the files, and the cache that the worker names after a hash of its content. */
function renamed(text: string): string {
  return text
    .replaceAll(builtName, '$1.new$3')
    .replaceAll(/(name:\s*["'`])([0-9a-f]{16})(["'`])/g, '$1$2x$3')
}
