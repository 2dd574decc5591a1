/** A remote site that serves every requested picture, unless a test sets another response. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FeedMedia } from '../../src/server/features/feeds/feed-source.ts'
import { pictures } from './fake-feed.ts'

type LinkAnswer = {
  status?: number
  headers?: Record<string, string>
  body?: Uint8Array
  /** The status for HEAD, if different. */
  head?: number
}

export type LinkSite = {
  readonly origin: string
  readonly host: string
  /** The requests in order, such as 'HEAD /city/1.jpg'. */
  readonly asked: string[]
  /** Responses by path; '*' for all others. */
  readonly answers: Map<string, LinkAnswer>
  /** Returns posts of a subfeed with pictures on this site. */
  readonly posts: (subfeed: string, count: number, change?: Partial<FeedMedia>) => FeedMedia[]
  readonly reset: () => void
  readonly close: () => Promise<void>
}

const picture: LinkAnswer = { headers: { 'content-type': 'image/jpeg' } }

export async function startLinkSite(): Promise<LinkSite> {
  const asked: string[] = []
  const answers = new Map<string, LinkAnswer>()
  const server = createServer(({ method, url: path = '' }, response) => {
    asked.push(`${method} ${path}`)
    const answer = answers.get(path) ?? answers.get('*') ?? picture
    const status = (method === 'HEAD' ? answer.head : undefined) ?? answer.status ?? 200
    response.writeHead(status, answer.headers)
    response.end(answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const origin = `http://${host}`
  return {
    origin,
    host,
    asked,
    answers,
    posts: (subfeed, count, change) =>
      pictures(subfeed, count, change).map((post, index) => ({
        ...post,
        mediaUrl: `${origin}/${subfeed}/${index}.jpg`,
      })),
    reset() {
      asked.length = 0
      answers.clear()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
