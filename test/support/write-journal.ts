/**
 * Clients that write all the time, and a journal of the responses: acknowledged writes must exist
 * permanently, unanswered ones may exist or not.
 */
import assert from 'node:assert/strict'
import { createCookieJar } from './cookie-jar.ts'

type Entry = {
  readonly id: string
  readonly cookie: string
  /** The last name that the service confirmed, and the one sent after it. */
  acknowledged: string
  attempted: string
}

export type Journal = {
  readonly entries: Map<string, Entry>
  writes: number
}

export const createJournal = (): Journal => ({ entries: new Map(), writes: 0 })

/** Writes until the service is gone. No request may fail for another reason. */
export async function writeUntilGone(
  url: string,
  journal: Journal,
  options: { clients: number; label: string },
): Promise<void> {
  const clients = Array.from({ length: options.clients }, (_, index) => `${options.label}-${index}`)
  await Promise.all(clients.map((client) => writeAs(url, journal, client)))
}

/** Checks that the accounts of the journal exist, are still signed in, and have the confirmed names. */
export async function checkJournal(url: string, journal: Journal, label: string): Promise<number> {
  const own = [...journal.entries].filter(([email]) => email.startsWith(`${label}-`))
  for (const [email, entry] of own) {
    const answer = await fetch(`${url}/api/auth/user`, { headers: { cookie: entry.cookie } })
    assert.equal(answer.status, 200, `${email} was told that they are signed in`)
    const user = (await answer.json()) as { id: string; email: string; firstName: string }
    assert.deepEqual({ id: user.id, email: user.email }, { id: entry.id, email })
    expectName(email, entry, user.firstName)
    entry.acknowledged = entry.attempted = user.firstName
  }
  return own.length
}

export function expectName(email: string, entry: Entry, found: string | null): void {
  const possible = [entry.acknowledged, entry.attempted]
  assert.ok(
    found !== null && possible.includes(found),
    `${email} was told ${entry.acknowledged}, and finds ${found}`,
  )
}

async function writeAs(url: string, journal: Journal, client: string): Promise<void> {
  for (let account = 1; ; account += 1) {
    const email = `${client}-${account}@example.test`
    const entry = await register(url, email)
    if (!entry) return
    journal.entries.set(email, entry)
    journal.writes += 1
    for (let change = 1; change <= 12; change += 1) {
      entry.attempted = `Name ${change}`
      if (!(await rename(url, entry))) return
      entry.acknowledged = entry.attempted
      journal.writes += 1
    }
  }
}

async function register(url: string, email: string): Promise<Entry | null> {
  const body = { email, password: 'a long enough password', firstName: 'Name 0' }
  const answer = await send(`${url}/api/auth/register`, 'POST', body)
  if (!answer) return null
  assert.equal(answer.status, 201, `registering ${email}: ${answer.text}`)
  const jar = createCookieJar()
  jar.keep(answer.headers.getSetCookie())
  const { id } = JSON.parse(answer.text) as { id: string }
  return { id, cookie: jar.header(), acknowledged: 'Name 0', attempted: 'Name 0' }
}

async function rename(url: string, entry: Entry): Promise<boolean> {
  const body = { firstName: entry.attempted }
  const answer = await send(`${url}/api/auth/user`, 'PATCH', body, { cookie: entry.cookie })
  if (answer) assert.equal(answer.status, 200, `renaming: ${answer.text}`)
  return answer !== null
}

/** Returns null when no complete response arrived. */
async function send(
  url: string,
  method: string,
  body: object,
  headers: Record<string, string> = {},
) {
  try {
    const answer = await fetch(url, {
      method,
      body: JSON.stringify(body),
      headers: { ...headers, 'content-type': 'application/json' },
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  } catch {
    return null
  }
}
