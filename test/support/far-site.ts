/** Shared support for fake feed sources: scripted responses, and a record of the requests. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { World } from '../../src/server/features/feeds/adapters/remote-site.ts'
import { serveHttp } from './loopback-site.ts'

/** JSON, unless the body is a text. A function writes the response itself. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; body: unknown }
  | ((response: ServerResponse) => void)

export type Asked = {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  body: string
}

/** Serves a site on 127.0.0.1 that replies as configured and records its requests. */
export async function serveReplies(replyTo: (asked: Asked) => Reply | Promise<Reply>) {
  const asked: Asked[] = []
  const site = await serveHttp(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const entry = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: await text(request),
    }
    asked.push(entry)
    const reply = await replyTo(entry)
    if (typeof reply === 'function') return reply(response)
    const isText = typeof reply.body === 'string'
    const contentType = isText ? 'text/html; charset=UTF-8' : 'application/json; charset=UTF-8'
    response.writeHead(reply.status ?? 200, { 'content-type': contentType, ...reply.headers })
    response.end(isText ? reply.body : JSON.stringify(reply.body))
  })
  return { ...site, asked }
}

/** Creates the context of an adapter, with a clock that a test moves. */
export function createTestWorld(limits: Pick<World, 'timeoutMs' | 'maxAnswerBytes'> = {}) {
  let nowMs = Date.parse('2026-05-01T12:00:00Z')
  return {
    fetch,
    now: () => new Date(nowMs),
    pass: (ms: number) => {
      nowMs += ms
    },
    ...limits,
  }
}

/** Malformed responses that every adapter must handle. */
export const rudeReplies: Record<string, Reply> = {
  'HTML where JSON belongs': { body: '<!doctype html><title>Welcome</title>' },
  'JSON that breaks off': { body: '{"kind":"Listing","data":{"children":[' },
  'JSON of another kind': { body: { hello: 'world' } },
  'an empty answer': { body: '' },
  'status 500': { status: 500, body: 'oops' },
  'status 502 without a body': { status: 502, body: '' },
  'status 418': { status: 418, body: { error: 418 } },
  'a body that breaks off': (response) => {
    response.writeHead(200, { 'content-length': '5000' })
    response.write('{"kind"', () => response.destroy())
  },
  'a body without an end': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const writeMore = () => {
      while (!response.destroyed && response.write(' '.repeat(10_000)));
    }
    response.on('drain', writeMore)
    writeMore()
  },
  'no answer at all': () => {},
  'a redirect elsewhere': {
    status: 302,
    headers: { location: 'http://127.0.0.1:9/elsewhere' },
    body: '<a href="http://127.0.0.1:9/elsewhere">302</a>',
  },
}
