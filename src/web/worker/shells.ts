/**
 * The scripts of the pages that work offline: one shell for each version of the application. A shell
 * stays while a page still runs its version, even if a newer worker serves that page, so that a show
 * can load its remaining scripts.
 */
import type { WorkerClient, WorkerScope } from './worker-scope.ts'

declare const self: WorkerScope
/** Set by the build: its name, and the files of the offline pages, with English scripts. */
declare const BUILD: { readonly name: string; readonly files: readonly string[] }

/** The page that registers the worker passes its own language. */
const language = new URL(self.location.href).searchParams.get('language') ?? 'en'
const shellPrefix = 'shell-'
const shellName = `${shellPrefix}${BUILD.name}-${language}`
const shellPage = '/shell'
/** The page of a frame that does not exist. It contains no personal data. */
const shellSource = '/frame/shell'
/** It is not a built file, but every page begins with it. */
const themeScript = '/theme.js'
/** The versions of open pages, identified by their first script. */
const openPages = 'open-pages'

export async function keepShell(): Promise<void> {
  const page = await fetch(shellSource, {
    credentials: 'omit',
    cache: 'no-store',
    headers: { 'accept-language': language },
  })
  if (!page.ok) throw new Error('there is no page to keep')
  // Remove the visitor mark: whether a user is signed in must be requested, because this page was
  // fetched without cookies.
  const html = (await page.text()).replace(' data-visitor', '')
  // During an update of the site, the page and the worker may be from nodes with different versions.
  // The install then fails and is retried later.
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
  // A file in several shells is the same in all, except for files that are not built. So this version
  // is first.
  for (const cacheName of [shellName, ...shells]) {
    const kept = await caches.match(request.url, { cacheName })
    if (kept) return kept
  }
  return fetch(request)
}

export async function pageOfShell(): Promise<Response | null> {
  return (await caches.match(shellPage, { cacheName: shellName })) ?? null
}

export async function activateShell(): Promise<void> {
  const isFirst = !(await caches.keys()).some(isOlderShell)
  await dropOldShells()
  // The first worker also serves the page that registered it.
  if (isFirst) await self.clients.claim()
}

/** Records the version of a page. */
export async function welcome(source: WorkerClient | null, entry: string): Promise<void> {
  if (source) await (await caches.open(openPages)).put(openPagePath(source.id), new Response(entry))
  await dropOldShells()
}

/** Activates this worker, unless a show runs in a window other than the one that asks. */
export async function takeOver(source: WorkerClient | null): Promise<void> {
  const isShow = ({ id, url }: WorkerClient) =>
    id !== source?.id &&
    /^\/(frame|play|tv|rooms|remote|demo|embed)(\/|$)|\/play$/.test(new URL(url).pathname)
  if (!(await openWindows()).some(isShow)) await self.skipWaiting()
}

async function dropOldShells(): Promise<void> {
  const windows = await openWindows()
  const openUrls = new Set(
    windows.map(({ id }) => new URL(openPagePath(id), self.location.origin).href),
  )
  const pages = await caches.open(openPages)
  const entries: string[] = []
  for (const page of await pages.keys()) {
    if (!openUrls.has(page.url)) await pages.delete(page)
    else entries.push((await (await pages.match(page))?.text()) ?? '')
  }
  const { installing, waiting } = self.registration
  // A window that has not reported its version may run any. And the shell of a newer worker that is
  // installing or waiting would look like an old one.
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

function openPagePath(clientId: string): string {
  return `/pages/${clientId}`
}
