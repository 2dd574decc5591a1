/**
 * The scripts of the pages that work without a network, a shell for each version of the application.
 * One that a page still runs stays, though a newer worker serves that page: a show is never left
 * without the scripts that it has yet to load.
 */
import type { WorkerClient, WorkerScope } from './worker-scope.ts'

declare const self: WorkerScope
/** Written in by the build: its name, and the files that those pages consist of, with English scripts. */
declare const BUILD: { readonly name: string; readonly files: readonly string[] }

/** The page that registers the worker names its own language. */
const language = new URL(self.location.href).searchParams.get('language') ?? 'en'
const shellPrefix = 'shell-'
const shellName = `${shellPrefix}${BUILD.name}-${language}`
const shellPage = '/shell'
/** The page of a frame that nobody has: it holds nothing of anybody. */
const shellSource = '/frame/shell'
/** Not built, but every page begins with it. */
const themeScript = '/theme.js'
/** Which open page runs which version, by the script that it began with. */
const openPages = 'open-pages'

export async function keepShell(): Promise<void> {
  const page = await fetch(shellSource, {
    credentials: 'omit',
    cache: 'no-store',
    headers: { 'accept-language': language },
  })
  if (!page.ok) throw new Error('there is no page to keep')
  // Whether somebody is signed in is to be asked, not to be known from how this was fetched.
  const html = (await page.text()).replace(' data-visitor', '')
  // While a site is being updated, one node's page and another's worker may not fit; it is tried again.
  const [, entry = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(html) ?? []
  const scriptFolder = entry.slice(0, entry.lastIndexOf('/') + 1)
  const files = BUILD.files.map((file) =>
    file.endsWith('.js') ? file.replace('/assets/', scriptFolder) : file,
  )
  if (!files.includes(entry)) throw new Error('the page is of another version')
  const shell = await caches.open(shellName)
  await shell.put(shellPage, new Response(html, { headers: page.headers }))
  await shell.addAll([themeScript, ...files])
}

export function isOfShell(pathname: string): boolean {
  return pathname.startsWith('/assets/') || pathname === themeScript
}

export async function fromShell(request: Request): Promise<Response> {
  const shells = (await caches.keys()).filter((name) => name.startsWith(shellPrefix))
  // What is in several is the same in all, but for what is not built: that is this version's.
  for (const cacheName of [shellName, ...shells]) {
    const kept = await caches.match(request.url, { cacheName })
    if (kept) return kept
  }
  return fetch(request)
}

export async function pageOfShell(): Promise<Response | null> {
  return (await caches.match(shellPage, { cacheName: shellName })) ?? null
}

export async function takeUp(): Promise<void> {
  const isFirst = !(await caches.keys()).some(isOlderShell)
  await dropOldShells()
  // The first one serves the page that brought it.
  if (isFirst) await self.clients.claim()
}

/** A page says which version it runs. */
export async function welcome(source: WorkerClient | null, entry: string): Promise<void> {
  if (source) await (await caches.open(openPages)).put(placeOf(source.id), new Response(entry))
  await dropOldShells()
}

/** Not under a running show, whichever window it runs in, but for the one that asks for it. */
export async function takeOver(source: WorkerClient | null): Promise<void> {
  const isShow = ({ id, url }: WorkerClient) =>
    id !== source?.id &&
    /^\/(frame|play|tv|rooms|remote|demo|embed)(\/|$)|\/play$/.test(new URL(url).pathname)
  if (!(await openWindows()).some(isShow)) await self.skipWaiting()
}

async function dropOldShells(): Promise<void> {
  const windows = await openWindows()
  const places = new Set(windows.map(({ id }) => new URL(placeOf(id), self.location.origin).href))
  const pages = await caches.open(openPages)
  const entries: string[] = []
  for (const place of await pages.keys()) {
    if (!places.has(place.url)) await pages.delete(place)
    else entries.push((await (await pages.match(place))?.text()) ?? '')
  }
  const { installing, waiting } = self.registration
  // Who has not said yet what it runs may run anything; and one that is not old is on its way.
  if (entries.length < windows.length || installing || waiting) return
  for (const name of (await caches.keys()).filter(isOlderShell)) {
    const shell = await caches.open(name)
    const used = await Promise.all(entries.map((entry) => shell.match(entry)))
    if (used.every((script) => script === undefined)) await caches.delete(name)
  }
}

function isOlderShell(name: string): boolean {
  return name.startsWith(shellPrefix) && name !== shellName
}

function openWindows(): Promise<WorkerClient[]> {
  return self.clients.matchAll({ type: 'window', includeUncontrolled: true })
}

function placeOf(clientId: string): string {
  return `/pages/${clientId}`
}
