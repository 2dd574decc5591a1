/**
 * The service worker: serves frames, kept sessions and the installed application without a network. It
 * is small, and all other requests go to the network as usual.
 */
import {
  beginsSignIn,
  checkKept,
  endsSignIn,
  keptNameOf,
  passDeletion,
  passSignIn,
  passSignOut,
  passTrash,
  readKept,
  readUser,
  withinPatience,
} from './kept-answers.ts'
import { expectKept, giveFile, keepFile } from './kept-files.ts'
import { forgetKept, type WorkerRequest } from './kept-names.ts'
import { takeShared } from './shared-files.ts'
import {
  fromShell,
  isOfShell,
  keepShell,
  pageOfShell,
  takeOver,
  activateShell,
  welcome,
} from './shells.ts'
import type { FetchEvent, MessageToWorker, WorkerScope } from './worker-scope.ts'

declare const self: WorkerScope

self.addEventListener('install', (event) => event.waitUntil(keepShell()))
self.addEventListener('activate', (event) => event.waitUntil(activateShell()))
self.addEventListener('message', (event) => event.waitUntil(answer(event)))
self.addEventListener('fetch', (event) => {
  const response = handle(event)
  if (response) event.respondWith(response)
})

/** Returns null for requests that the worker does not handle. */
function handle({ request }: FetchEvent): Promise<Response> | null {
  const { method, destination } = request
  const { origin, pathname } = new URL(request.url)
  const isPlayed = method === 'GET' && ['image', 'video', 'audio'].includes(destination)
  if (origin !== self.location.origin) return isPlayed ? giveFile(request) : null
  if (method === 'POST' && pathname === '/share-target') return takeShared(request)
  if (endsSignIn(method, pathname)) return passSignOut(request)
  if (beginsSignIn(method, pathname)) return passSignIn(request)
  if (method === 'POST' && pathname === '/api/trash') return passTrash(request)
  const keptName = keptNameOf(pathname)
  if (keptName !== null && method === 'DELETE') return passDeletion(request, keptName)
  if (method !== 'GET') return null
  if (request.mode === 'navigate') return openPage(request)
  if (isOfShell(pathname)) return fromShell(request)
  if (keptName !== null) return readKept(request, keptName)
  if (pathname === '/api/auth/user') return readUser(request)
  return isPlayed ? giveFile(request) : null
}

async function openPage(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  if (pathname === '/api/logout') await forgetKept(caches, { withShared: true })
  const isPlayable = /^\/(frame|play)\/|^\/shared\/[^/]+\/play$|^\/kept$/.test(pathname)
  try {
    return await (isPlayable ? withinPatience(fetch(request)) : fetch(request))
  } catch (error) {
    if (pathname.startsWith('/api/') || pathname.startsWith('/media/')) throw error
    // Without a network, only kept sessions can be shown.
    if (!isPlayable)
      return Response.redirect(`/kept?from=${encodeURIComponent(pathname + search)}`, 302)
    const page = await pageOfShell()
    if (!page) throw error
    return page
  }
}

async function answer({ data, ports: [port], source }: MessageToWorker): Promise<void> {
  const request = data as WorkerRequest
  if (request.ask === 'take-over') return takeOver(source)
  if (request.ask === 'here') {
    await welcome(source, request.entry)
    return checkKept()
  }
  expectKept()
  port?.postMessage(await keepFile(request))
}
