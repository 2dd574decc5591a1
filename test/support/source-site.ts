/**
 * Fake servers for all feed sources in one place on loopback: a feed, a Mastodon server, Bluesky and Commons,
 * each with several pages, and with failures that a test sets.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Mood =
  | 'well'
  | 'busy'
  | 'busy for a while'
  | 'broken'
  | 'silent'
  | 'late'
  | 'a web page'
  | 'endless'
  | 'no JSON'
  | 401
  | 403
  | 404
  | 410
  | 422

/** Slow, but well within the timeout. */
const lateMs = 3000

export async function openSourceSite() {
  let mood: Mood = 'well'
  const asked: { path: string; headers: IncomingMessage['headers'] }[] = []
  let open = 0
  let maxOpen = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://site')
    asked.push({ path: url.pathname + url.search, headers: request.headers })
    open += 1
    maxOpen = Math.max(maxOpen, open)
    response.on('close', () => void (open -= 1))
    if (mood === 'late') await new Promise((resolve) => setTimeout(resolve, lateMs))
    else if (mood !== 'well') return answerBadly(mood, response)
    const moved = url.pathname === '/moved' ? url.searchParams.get('to') : null
    if (moved !== null) return void response.writeHead(302, { location: moved }).end()
    if (url.pathname === '/feed.xml') return answerFeed(request, response, origin)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const json = answerOf(url, origin, response)
    response.statusCode = json === null ? 404 : 200
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(json ?? { error: 'Record not found' }))
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  const origin = `http://${host}`
  return {
    host,
    origin,
    asked,
    be: (next: Mood) => void (mood = next),
    maxOpen: () => maxOpen,
    /** Clears the record of requests. */
    reset() {
      mood = 'well'
      asked.length = 0
      maxOpen = 0
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
    settings: {
      FETCH_ALLOW: host,
      BLUESKY_URL: origin,
      COMMONS_URL: `${origin}/w/api.php`,
    },
    names: {
      rss: `rss:${origin}/feed.xml`,
      tag: `mastodon:#lakes@${host}`,
      account: `mastodon:@someone@${host}`,
      bluesky: 'bluesky:@someone.bsky.social',
      commons: 'commons:Lakes',
    },
  }
}

function answerBadly(mood: Exclude<Mood, 'well'>, response: ServerResponse): void {
  if (mood === 'silent') return
  if (typeof mood === 'number') {
    response.statusCode = mood
    return void response.end('{"error":"no"}')
  }
  if (mood === 'endless') {
    response.setHeader('content-type', 'application/json')
    const send = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
      response.once('drain', send)
    }
    return send()
  }
  response.statusCode = mood === 'broken' ? 500 : mood === 'busy' ? 429 : 200
  if (mood === 'busy for a while') {
    response.statusCode = 429
    response.setHeader('retry-after', '120')
  }
  // For a web page the content type is wrong on purpose.
  response.setHeader('content-type', 'application/json')
  response.end(mood === 'a web page' ? '<!doctype html><title>Log in</title>' : 'nothing')
}

function answerFeed(request: IncomingMessage, response: ServerResponse, origin: string): void {
  response.setHeader('etag', '"one"')
  if (request.headers['if-none-match'] === '"one"') {
    response.statusCode = 304
    return void response.end()
  }
  const items = Array.from(
    { length: 30 },
    (_, index) =>
      `<item><title>Feed ${index}</title><link>${origin}/posts/${index}</link><guid>f${index}</guid>
       <enclosure url="${origin}/feed/${index}.jpg" type="image/jpeg" length="1"/></item>`,
  )
  response.setHeader('content-type', 'application/rss+xml')
  response.end(`<rss version="2.0"><channel><title>A feed</title>${items.join('')}</channel></rss>`)
}

function answerOf(url: URL, origin: string, response: ServerResponse): unknown {
  const { pathname, searchParams: query } = url
  if (pathname === '/api/v1/accounts/lookup')
    return query.get('acct') === 'someone' ? { id: '7' } : null
  if (/^\/api\/v1\/(?:timelines\/tag\/lakes|accounts\/7\/statuses)$/.test(pathname)) {
    const start = Number(query.get('max_id') ?? 100)
    const ids = Array.from({ length: 10 }, (_, index) => start - 1 - index).filter((id) => id > 60)
    const last = ids.at(-1)
    if (last !== undefined)
      response.setHeader('link', `<${origin}${pathname}?max_id=${last}>; rel="next"`)
    return ids.map((id) => statusOf(id, origin))
  }
  if (pathname === '/xrpc/app.bsky.feed.getAuthorFeed') {
    const start = Number(query.get('cursor') ?? 0)
    const feed = Array.from({ length: 10 }, (_, index) => ({ post: postOf(start + index, origin) }))
    return { feed, ...(start < 30 && { cursor: String(start + 10) }) }
  }
  if (pathname === '/xrpc/app.bsky.actor.searchActorsTypeahead')
    return { actors: [{ handle: `${query.get('q')}.bsky.social`, displayName: 'Someone' }] }
  if (query.get('list') === 'prefixsearch')
    return { query: { prefixsearch: [{ title: 'Category:Lakes, rivers' }] } }
  if (pathname === '/w/api.php') {
    const start = Number(query.get('gcmcontinue') ?? 0)
    const pages = Array.from({ length: 10 }, (_, index) => fileOf(start + index, origin))
    const next = { gcmcontinue: String(start + 10), continue: 'gcmcontinue||' }
    return { batchcomplete: true, query: { pages }, ...(start < 30 && { continue: next }) }
  }
  return null
}

function statusOf(id: number, origin: string) {
  return {
    id: String(id),
    url: `${origin}/@someone/${id}`,
    content: `<p>Status ${id}</p>`,
    created_at: '2026-01-01T00:00:00Z',
    sensitive: false,
    spoiler_text: '',
    account: { acct: 'someone' },
    media_attachments: [
      {
        type: 'image',
        url: `${origin}/mastodon/${id}.jpg`,
        preview_url: `${origin}/mastodon/${id}-small.jpg`,
        description: `A lake, ${id}`,
        meta: { original: { width: 1200, height: 800 }, focus: { x: 0.5, y: 0.5 } },
      },
    ],
  }
}

function postOf(number: number, origin: string) {
  const picture = `${origin}/bluesky/${number}.jpg`
  // Every tenth is a film with an HLS playlist; the second film is on an unknown host.
  const host = number === 19 ? 'https://films.example' : origin
  const film = { $type: 'app.bsky.embed.video#view', playlist: `${host}/bluesky/${number}.m3u8` }
  return {
    uri: `at://did:plc:a/app.bsky.feed.post/${number}`,
    author: { handle: 'someone.bsky.social', did: 'did:plc:a', labels: [] },
    record: { text: `Post ${number}`, createdAt: '2026-01-01T00:00:00Z' },
    embed:
      number % 10 === 9
        ? film
        : {
            $type: 'app.bsky.embed.images#view',
            images: [{ fullsize: picture, thumb: picture, alt: `Picture ${number}` }],
          },
    labels: [],
  }
}

function fileOf(number: number, origin: string) {
  const value = (text: string) => ({ value: text })
  return {
    pageid: number + 1,
    title: `File:Lake ${number}.jpg`,
    imageinfo: [
      {
        url: `${origin}/commons/${number}.jpg`,
        thumburl: `${origin}/commons/1920px-${number}.jpg`,
        descriptionurl: `${origin}/wiki/File:Lake_${number}.jpg`,
        mime: 'image/jpeg',
        width: 4000,
        height: 3000,
        extmetadata: {
          Artist: value('<a href="//x">A painter</a>'),
          LicenseShortName: value('CC BY-SA 4.0'),
          LicenseUrl: value('https://creativecommons.org/licenses/by-sa/4.0'),
        },
      },
    ],
  }
}
