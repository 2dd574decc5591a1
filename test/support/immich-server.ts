/**
 * An Immich server on loopback with the responses of version 3.x: one user's library of pictures, a film and
 * hidden assets, protected by a key with permissions.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { plain, red } from './pictures.ts'

export type ImmichMood =
  | 'well'
  | 'broken'
  | 'busy for a while'
  | 'silent'
  | 'endless'
  | 'a web page'
  | 'repeats the key'
  | 'lying types'
  | 'an endless film'

export const immichKey = 'k3yOfSomebodysWholeLibraryThatNobodyElseMaySee'

const assetCount = 120
const film = Buffer.from('a film of sixteen')
const albumId = '721e1a4b-aa12-441e-8d3b-5ac7ab283bb6'

export async function openImmichServer() {
  let mood: ImmichMood = 'well'
  let permissions: ReadonlySet<string> = allPermissions
  let key = immichKey
  const asked: { path: string; body: unknown; headers: IncomingMessage['headers'] }[] = []
  const picture = await plain(64, 48, red, 'jpeg')

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://immich')
    const path = pathname.replace(/^\/api\//, '')
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk as Uint8Array)
    const text = Buffer.concat(chunks).toString()
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    asked.push({
      path: path + new URL(request.url ?? '/', 'http://x').search,
      body,
      headers: request.headers,
    })
    const say = (status: number, json: unknown) => {
      const type = mood === 'lying types' ? 'image/jpeg' : 'application/json'
      response.writeHead(status, { 'content-type': type })
      response.end(JSON.stringify(json))
    }
    if (mood === 'silent') return
    if (mood === 'endless') return sendWithoutEnd(response)
    if (mood === 'busy for a while')
      return void response.writeHead(429, { 'retry-after': '120' }).end('too many')
    if (mood === 'broken') return say(500, { message: 'Internal server error' })
    if (mood === 'a web page') return void response.end('<!doctype html><title>Immich</title>')
    if (mood === 'repeats the key')
      return say(400, { message: `Bad header ${String(request.headers['x-api-key'])}` })
    if (request.headers['x-api-key'] !== key) return say(401, { message: 'Invalid API key' })
    const needed = permissionOf(path)
    if (needed && !permissions.has(needed))
      return say(403, { message: `Missing required permission: ${needed}` })
    if (path === 'users/me') return say(200, { name: 'Ana of Immich', email: 'ana@immich.example' })
    if (path === 'albums')
      return say(200, [
        { id: albumId, albumName: 'Summer, at sea', assetCount },
        { id: 'c4721c25-8669-451f-a6be-3d9d4dc38f5f', albumName: 'Empty', assetCount: 0 },
      ])
    if (path === 'search/metadata') return say(200, searchOf(body))
    if (path === 'search/random')
      return say(200, library.slice(0, Number(body['size'] ?? 10)).toReversed())
    if (path === 'memories')
      return say(200, searchParams.has('for') ? [{ assets: library.slice(0, 3) }] : [])
    const [, id, form] = /^assets\/([\w-]+)\/(thumbnail|video\/playback)$/.exec(path) ?? []
    if (!id || !library.some((asset) => asset.id === id))
      return say(400, { message: 'Not found or no asset.view access' })
    if (form !== 'thumbnail' && mood === 'an endless film')
      return sendWithoutEnd(response, 'video/mp4')
    return form === 'thumbnail' ? sendPicture(response) : sendFilm(request, response)
  }

  const sendPicture = (response: ServerResponse) => {
    const type = mood === 'lying types' ? 'text/html' : 'image/jpeg'
    response.writeHead(200, { 'content-type': type, 'content-length': picture.length })
    response.end(picture)
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    asked,
    albumId,
    film,
    picture,
    settings: { IMMICH_URL: origin },
    be: (next: ImmichMood) => void (mood = next),
    allow: (...names: string[]) => void (permissions = new Set(names)),
    /** Changes the key, as if it had been revoked and replaced. */
    changeKey: (next: string) => void (key = next),
    reset() {
      mood = 'well'
      permissions = allPermissions
      key = immichKey
      asked.length = 0
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const allPermissions = new Set([
  'album.read',
  'asset.read',
  'asset.view',
  'memory.read',
  'user.read',
])

function permissionOf(path: string): string | undefined {
  if (path === 'albums') return 'album.read'
  if (path.startsWith('search/')) return 'asset.read'
  if (path.startsWith('assets/')) return 'asset.view'
  return { memories: 'memory.read', 'users/me': 'user.read' }[path]
}

const library = Array.from({ length: assetCount }, (_, index) => assetOf(index))

/** The third asset is a film. The last four are hidden, which old servers mark with other fields. */
function assetOf(index: number) {
  const fromEnd = assetCount - index
  return {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    type: index === 2 ? 'VIDEO' : 'IMAGE',
    originalPath: `/data/upload/${index}.jpg`,
    originalFileName: `IMG_${index}.jpg`,
    fileCreatedAt: '2024-06-15T08:30:00.000Z',
    localDateTime: '2024-06-15T10:30:00.000Z',
    isFavorite: index < 5,
    isArchived: fromEnd === 1,
    isTrashed: fromEnd === 2,
    isOffline: fromEnd === 3,
    visibility: fromEnd === 4 ? 'locked' : 'timeline',
    duration: index === 2 ? 12_500 : null,
    width: 4032,
    height: 3024,
    people: [],
    exifInfo: { description: index === 0 ? 'A quay & boats' : '', city: 'Helsinki' },
  }
}

function searchOf(body: Record<string, unknown>) {
  const { albumIds, isFavorite, size = 250, page = 1 } = body
  const isEmpty = Array.isArray(albumIds) && !albumIds.includes(albumId)
  const fitting = isEmpty ? [] : library.filter((asset) => isFavorite !== true || asset.isFavorite)
  const start = (Number(page) - 1) * Number(size)
  const items = fitting.slice(start, start + Number(size))
  const isMore = start + items.length < fitting.length
  return {
    albums: { total: 0, count: 0, items: [], facets: [] },
    assets: { total: items.length, items, nextPage: isMore ? String(Number(page) + 1) : null },
  }
}

/** Sends the header of a picture and then endless bytes. */
function sendWithoutEnd(response: ServerResponse, type = 'image/jpeg'): void {
  response.writeHead(200, { 'content-type': type })
  response.write(Buffer.from('ffd8ff', 'hex'))
  const send = () => {
    while (!response.destroyed && response.write(Buffer.alloc(262_144, 32)));
    response.once('drain', send)
  }
  send()
}

function sendFilm(request: IncomingMessage, response: ServerResponse): void {
  const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const common = { 'content-type': 'video/mp4', 'accept-ranges': 'bytes' }
  if (start === undefined) {
    response.writeHead(200, { ...common, 'content-length': film.length })
    return void response.end(film)
  }
  const last = end ? Number(end) : film.length - 1
  const part = film.subarray(Number(start), last + 1)
  response.writeHead(206, {
    ...common,
    'content-length': part.length,
    'content-range': `bytes ${start}-${last}/${film.length}`,
  })
  response.end(part)
}
