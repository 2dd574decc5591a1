/**
 * What the interface says of a kept session, of a frame and of who is signed in: asked of the site as
 * ever, and learnt from. What has ended, or is another's, is forgotten then; what is kept is given
 * where nobody answers.
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

/** A network that lets one wait so long is none. */
const patienceMs = 8000
/** How old an answer may be before it is asked whether it still stands. */
const freshMs = 24 * 3_600_000

/** A link may also ask for its password again, which says nothing of whether it has ended. */
function isGone(status: number, cacheName: string): boolean {
  return [403, 404, 410].includes(status) || (status === 401 && !cacheName.startsWith(linkPrefix))
}

/** Null where the address is none that can be kept. */
export function keptNameOf(pathname: string): string | null {
  const token = /^\/api\/frames\/([\w-]{43})\/playlist$/.exec(pathname)?.[1]
  if (token !== undefined) return framePrefix + token
  const code = /^\/api\/shared\/([\w-]+)$/.exec(pathname)?.[1]
  if (code !== undefined) return linkName(code)
  const id = /^\/api\/sessions\/(\d+)$/.exec(pathname)?.[1]
  return id === undefined ? null : keptPrefix + id
}

/** What was kept is forgotten as soon as it is learnt that it is not to be had any more. */
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

/** Not where it was forgotten meanwhile. */
async function keepAnswer(response: Response, cacheName: string): Promise<void> {
  const address = answerAddress(cacheName)
  if (!(await caches.match(address, { cacheName }))) return
  await (await caches.open(cacheName)).put(address, response.clone())
  await dropUnnamed(cacheName, response.clone())
}

/** The session is deleted on this device, which need not ask for it again to learn that. */
export async function passDeletion(request: Request, cacheName: string): Promise<Response> {
  const response = await fetch(request)
  if (response.ok) await caches.delete(cacheName)
  return response
}

/** Sessions that go into the trash give their space back; who takes one out again keeps it anew. */
export async function passTrash(request: Request): Promise<Response> {
  const asked = request.clone()
  const response = await fetch(request)
  if (!response.ok) return response
  // As the contract says of it; what it refuses has been hidden, or is gone.
  const { items } = (await asked.json()) as { items: { kind: string; id: number }[] }
  for (const { kind, id } of items)
    if (kind === 'session') await caches.delete(`${keptPrefix}${id}`)
  return response
}

/** What one account keeps is not shown to the next. */
export async function readUser(request: Request): Promise<Response> {
  const response = await fetch(request)
  await learnUser(response)
  return response
}

async function learnUser(response: Response): Promise<void> {
  // What was shared with somebody who has yet to sign in waits for them.
  if (response.status === 401) await forgetKept(caches, { withShared: false })
  if (!response.ok) return
  // As the contract says of it.
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

/** Who has signed in is known before the page goes on; where that cannot be learnt, nothing is left. */
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

/** Now and then, whether what is kept still stands; and what was broken off is removed. */
export async function checkKept(): Promise<void> {
  await navigator.locks.request(keepingLock, { ifAvailable: true }, async (lock) => {
    if (lock) await dropUnfinished()
  })
  for (const cacheName of (await caches.keys()).filter(isKeptName)) {
    const address = answerAddress(cacheName)
    const kept = await caches.match(address, { cacheName })
    const ageMs = Date.now() - Date.parse(kept?.headers.get('date') ?? '')
    // Without a network it is asked another time.
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
