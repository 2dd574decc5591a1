/**
 * API responses about a kept session, a frame and the signed-in user. They are requested from the site
 * as usual, and the worker learns from them. Data that has ended or belongs to another account is
 * deleted. Kept data is returned if the site does not respond.
 */
import { dropUnnamed, withoutMissing } from './kept-files.ts'
import {
  answerAddress,
  forgetKept,
  framePrefix,
  isKeptName,
  isPersonal,
  keepingLock,
  keptPrefix,
  linkName,
  linkPrefix,
  readNote,
} from './kept-names.ts'

/** After this time without a response, the network counts as lost. */
const patienceMs = 8000
/** The age after which a kept response is checked again. */
const freshMs = 24 * 3_600_000

/**
 * True when the status shows that the session is no longer available. For a link, 401 can also mean
 * that the password is needed again.
 */
function isGone(status: number, cacheName: string): boolean {
  return [403, 404, 410].includes(status) || (status === 401 && !cacheName.startsWith(linkPrefix))
}

/** Returns the cache name of an address, or null if it cannot be kept. */
export function keptNameOf(pathname: string): string | null {
  const token = /^\/api\/frames\/([\w-]{43})\/playlist$/.exec(pathname)?.[1]
  if (token !== undefined) return framePrefix + token
  const code = /^\/api\/shared\/([\w-]+)$/.exec(pathname)?.[1]
  if (code !== undefined) return linkName(code)
  const id = /^\/api\/sessions\/(\d+)$/.exec(pathname)?.[1]
  return id === undefined ? null : keptPrefix + id
}

/**
 * Requests the data and updates the kept copy. Without a network, returns the kept copy. Deletes the
 * copy if the session is no longer available.
 */
export async function readKept(request: Request, cacheName: string): Promise<Response> {
  if (!(await caches.has(cacheName))) return fetch(request)
  try {
    const response = await withinPatience(fetch(request))
    if (isGone(response.status, cacheName)) await caches.delete(cacheName)
    if (response.status >= 500) throw new Error('the site cannot answer')
    if (response.ok) await keepAnswer(response, cacheName)
    return response
  } catch (error) {
    const kept = await caches.match(answerAddress(cacheName), { cacheName })
    if (!kept) throw error
    return withoutMissing(cacheName, kept)
  }
}

/** Updates the kept response, unless it was deleted meanwhile. */
async function keepAnswer(response: Response, cacheName: string): Promise<void> {
  const address = answerAddress(cacheName)
  if (!(await caches.match(address, { cacheName }))) return
  await (await caches.open(cacheName)).put(address, response.clone())
  await dropUnnamed(cacheName, response.clone())
}

/** Passes on a deletion, and deletes the kept session too. */
export async function passDeletion(request: Request, cacheName: string): Promise<Response> {
  const response = await fetch(request)
  if (response.ok) await caches.delete(cacheName)
  return response
}

/**
 * Passes on a move to the trash, and deletes the kept sessions to free space. A restored session must
 * be kept again.
 */
export async function passTrash(request: Request): Promise<Response> {
  const asked = request.clone()
  const response = await fetch(request)
  if (!response.ok) return response
  // The type is the contract's. Refused items are hidden or deleted, so their copies are deleted too.
  const { items } = (await asked.json()) as { items: { kind: string; id: number }[] }
  for (const { kind, id } of items)
    if (kind === 'session') await caches.delete(`${keptPrefix}${id}`)
  return response
}

/** Passes on the request for the user, and deletes kept sessions that this account may not see. */
export async function readUser(request: Request): Promise<Response> {
  const response = await fetch(request)
  await learnUser(response)
  return response
}

async function learnUser(response: Response): Promise<void> {
  // Files shared by another application wait until their user has signed in.
  if (response.status === 401) await forgetKept(caches, { withShared: false })
  if (!response.ok) return
  // The type is the contract's.
  const user = (await response.clone().json()) as { id: string; ageVerified: boolean }
  for (const name of await caches.keys()) {
    if (!isPersonal(name)) continue
    const note = await readNote(caches, name)
    const isForThem = note?.userId === user.id && (user.ageVerified || !note.nsfw)
    if (!isForThem) await caches.delete(name)
  }
}

export function endsSignIn(method: string, pathname: string): boolean {
  return ['POST /api/auth/logout', 'DELETE /api/auth/user'].includes(`${method} ${pathname}`)
}

export function beginsSignIn(method: string, pathname: string): boolean {
  return method === 'POST' && /^\/api\/(login|login\/passkey|auth\/register)$/.test(pathname)
}

export async function passSignOut(request: Request): Promise<Response> {
  const response = await fetch(request)
  if (response.status < 400) await forgetKept(caches, { withShared: true })
  return response
}

/**
 * Passes on a sign-in. Learns the user before the page continues. If that fails, deletes all kept
 * sessions.
 */
export async function passSignIn(request: Request): Promise<Response> {
  const response = await fetch(request)
  if (response.status >= 400) return response
  try {
    await learnUser(await withinPatience(fetch('/api/auth/user')))
  } catch {
    await forgetKept(caches, { withShared: false })
  }
  return response
}

/** Checks from time to time whether kept sessions are still available, and removes unfinished ones. */
export async function checkKept(): Promise<void> {
  await navigator.locks.request(keepingLock, { ifAvailable: true }, async (lock) => {
    if (lock) await dropUnfinished()
  })
  for (const cacheName of (await caches.keys()).filter(isKeptName)) {
    const address = answerAddress(cacheName)
    const kept = await caches.match(address, { cacheName })
    const ageMs = Date.now() - Date.parse(kept?.headers.get('date') ?? '')
    // Without a network it is checked another time.
    if (kept && !(ageMs < freshMs)) await readKept(new Request(address), cacheName).catch(() => {})
  }
}

async function dropUnfinished(): Promise<void> {
  for (const name of await caches.keys()) {
    if (!isPersonal(name)) continue
    const note = await readNote(caches, name)
    if (note?.isWhole !== true) await caches.delete(name)
  }
}

export function withinPatience(response: Promise<Response>): Promise<Response> {
  return Promise.race([
    response,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('too slow')), patienceMs)),
  ])
}
