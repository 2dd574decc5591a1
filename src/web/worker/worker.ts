/**
 * The service worker: what a frame, a kept session and the installed application need when there is no
 * network. Small, and in the way of nothing else: what it does not know goes to the network as before.
 */
import { framePrefix, forgetKept, keptNote, keptPrefix, type WorkerRequest } from './kept-names.ts'
import { givePart, keepFiles } from './kept-media.ts'
import { takeShared } from './shared-files.ts'
import type { FetchEvent, MessageToWorker, WorkerClient, WorkerScope } from './worker-scope.ts'

declare const self: WorkerScope
/** Written in by the build: its name, and the files that the pages below begin with. */
declare const BUILD: { readonly name: string; readonly files: readonly string[] }

const shellPrefix = 'shell-'
const shellName = shellPrefix + BUILD.name
const shellPage = '/shell'
/** The page of a frame that nobody has: it holds nothing of anybody. */
const shellSource = '/frame/shell'
/** Not built, but every page begins with it. */
const themeScript = '/theme.js'
const frameBytes = 300 * 1_048_576
const sessionBytes = 1024 * 1_048_576
/** A network that lets one wait so long is none. */
const patienceMs = 8000

self.addEventListener('install', (event) => event.waitUntil(keepShell()))
self.addEventListener('activate', (event) => event.waitUntil(dropOldShells()))
self.addEventListener('message', (event) => event.waitUntil(answer(event)))
self.addEventListener('fetch', (event) => {
  const response = handle(event)
  if (response) event.respondWith(response)
})

/** Null where it is none of our business. */
function handle(event: FetchEvent): Promise<Response> | null {
  const { request } = event
  const url = new URL(request.url)
  const isOwn = url.origin === self.location.origin
  const { pathname } = url
  if (isOwn && request.method === 'POST' && pathname === '/share-target') return takeShared(request)
  const isEnd = isOwn && endsSignIn(request.method, pathname)
  if (isEnd || (isOwn && beginsSignIn(request.method, pathname)))
    return passAndForget(request, { withShared: isEnd })
  if (request.method !== 'GET') return null
  if (request.mode === 'navigate') return isOwn ? openPage(request, pathname) : null
  if (isOwn && (pathname.startsWith('/assets/') || pathname === themeScript))
    return fromShell(request)
  const token = /^\/api\/frames\/([\w-]{43})\/playlist$/.exec(pathname)?.[1]
  if (isOwn && token !== undefined) return readKept(request, framePrefix + token)
  const sessionId = /^\/api\/sessions\/(\d+)$/.exec(pathname)?.[1]
  if (isOwn && sessionId !== undefined) return readKept(request, keptPrefix + sessionId)
  if (isOwn && pathname === '/api/auth/user') return readUser(request)
  if (['image', 'video', 'audio'].includes(request.destination)) return giveFile(request)
  return null
}

async function keepShell(): Promise<void> {
  const shell = await caches.open(shellName)
  const page = await fetch(shellSource, { credentials: 'omit', cache: 'no-store' })
  if (!page.ok) throw new Error('there is no page to keep')
  // Whether somebody is signed in is to be asked, not to be known from how this was fetched.
  const html = (await page.text()).replace(' data-visitor', '')
  await shell.put(shellPage, new Response(html, { headers: page.headers }))
  await shell.addAll([themeScript, ...BUILD.files])
}

/** Other shows may still run with the old one, so it stays until the last of them is closed. */
async function dropOldShells(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(shellPrefix) && name !== shellName)
  await Promise.all(old.map((name) => caches.delete(name)))
  // The first one serves the page that brought it.
  if (old.length === 0) await self.clients.claim()
}

async function openPage(request: Request, pathname: string): Promise<Response> {
  if (pathname === '/api/logout') await forgetKept(caches, { withShared: true })
  const isPlayable = /^\/(frame|play)\/|^\/kept$/.test(pathname)
  try {
    return await (isPlayable ? withinPatience(fetch(request)) : fetch(request))
  } catch (error) {
    if (pathname.startsWith('/api/') || pathname.startsWith('/media/')) throw error
    // Without a network only what is kept can be looked at.
    if (!isPlayable) return Response.redirect('/kept', 302)
    const page = await caches.match(shellPage, { cacheName: shellName })
    if (!page) throw error
    return page
  }
}

async function fromShell(request: Request): Promise<Response> {
  const kept = await caches.match(request.url, { cacheName: shellName })
  return kept ?? fetch(request)
}

/** What was kept is forgotten as soon as it is learnt that it is not to be had any more. */
async function readKept(request: Request, cacheName: string): Promise<Response> {
  const isKept = await caches.has(cacheName)
  // A frame is kept by being looked at; a session only where somebody asked for it.
  const keeps = isKept || cacheName.startsWith(framePrefix)
  if (!keeps) return fetch(request)
  try {
    const response = await withinPatience(fetch(request))
    if ([403, 404, 410].includes(response.status)) await caches.delete(cacheName)
    if (response.status >= 500) throw new Error('the site cannot answer')
    if (response.ok) await (await caches.open(cacheName)).put(request.url, response.clone())
    return response
  } catch (error) {
    const kept = await caches.match(request.url, { cacheName })
    if (!kept) throw error
    return kept
  }
}

/** What one account keeps is not shown to the next. */
async function readUser(request: Request): Promise<Response> {
  const response = await fetch(request)
  // What was shared with somebody who has yet to sign in waits for them.
  if (response.status === 401) await forgetKept(caches, { withShared: false })
  if (response.ok) {
    const { id } = (await response.clone().json()) as { id: string }
    await forgetOthers(id)
  }
  return response
}

async function forgetOthers(userId: string): Promise<void> {
  for (const name of await caches.keys()) {
    if (!name.startsWith(keptPrefix)) continue
    const note = await caches.match(keptNote, { cacheName: name })
    const owner = note && ((await note.json()) as { userId: string }).userId
    if (owner !== userId) await caches.delete(name)
  }
}

function endsSignIn(method: string, pathname: string): boolean {
  return (
    `${method} ${pathname}` === 'POST /api/auth/logout' ||
    `${method} ${pathname}` === 'DELETE /api/auth/user'
  )
}

function beginsSignIn(method: string, pathname: string): boolean {
  return method === 'POST' && /^\/api\/(login|login\/passkey|auth\/register)$/.test(pathname)
}

async function passAndForget(
  request: Request,
  options: { withShared: boolean },
): Promise<Response> {
  const response = await fetch(request)
  if (response.status < 400) await forgetKept(caches, options)
  return response
}

/** Kept files first: a frame asks for the same ones for years. */
async function giveFile(request: Request): Promise<Response> {
  const kept = await findFile(request.url)
  return kept ? givePart(kept, request.headers.get('range')) : fetch(request)
}

async function findFile(url: string): Promise<Response | undefined> {
  for (const name of await caches.keys()) {
    if (!name.startsWith(framePrefix) && !name.startsWith(keptPrefix)) continue
    const kept = await caches.match(url, { cacheName: name })
    if (kept) return kept
  }
  return undefined
}

async function answer({ data, ports: [port], source }: MessageToWorker): Promise<void> {
  const request = data as WorkerRequest
  if (request.ask === 'take-over') return takeOver(source)
  if (request.ask === 'keep-frame') return keepFrame(request.token, request.addresses)
  const { note, addresses } = request
  const cacheName = keptPrefix + note.id
  try {
    const cache = await caches.open(cacheName)
    // First of all: what has no owner is taken for another's.
    await cache.put(keptNote, Response.json(note))
    const session = await fetch(`/api/sessions/${note.id}`)
    if (!session.ok) throw new Error('the session cannot be read')
    await cache.put(`/api/sessions/${note.id}`, session)
    const onProgress = (progress: object) => port?.postMessage(progress)
    const kept = await keepFiles({ cache, addresses, mostBytes: sessionBytes, onProgress })
    if (kept.bytes === 0) throw new Error('none of its files can be had')
    await cache.put(keptNote, Response.json({ ...note, bytes: kept.bytes }))
    port?.postMessage({ isKept: true, bytes: kept.bytes })
  } catch {
    await caches.delete(cacheName)
    port?.postMessage({ isKept: false, bytes: 0 })
  }
}

/** The worker may be younger than the page, and not have seen what it plays. */
async function keepFrame(token: string, addresses: readonly string[]): Promise<void> {
  const address = `/api/frames/${token}/playlist`
  const playlist = await readKept(new Request(address), framePrefix + token)
  if (!playlist.ok) return
  const cache = await caches.open(framePrefix + token)
  await keepFiles({ cache, addresses, mostBytes: frameBytes })
}

/** Not under a running show, whichever window it runs in, but for the one that asks for it. */
async function takeOver(source: WorkerClient | null): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const isShow = ({ id, url }: WorkerClient) =>
    id !== source?.id &&
    /^\/(frame|play|tv|rooms|remote|demo|embed)(\/|$)|\/play$/.test(new URL(url).pathname)
  if (!windows.some(isShow)) await self.skipWaiting()
}

function withinPatience(response: Promise<Response>): Promise<Response> {
  return Promise.race([
    response,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('too slow')), patienceMs)),
  ])
}
