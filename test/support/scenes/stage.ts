/** The context of a scene of the HTTP suite: new users, and the site's remote services. */
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '../../../src/contract/api.ts'
import type { CallOptions } from '../endpoint-caller.ts'
import { callEndpoint } from '../endpoint-caller.ts'
import type { Person } from '../world.ts'
import { password, personAt } from '../world.ts'
import type { FarSides } from './far-sides.ts'

type Kept = {
  /** A user whose only other sign-in method is the provider. */
  guarded?: Person
  /** A user with a password, and the code of a link with a password. */
  guessed?: { readonly person: Person; readonly shareCode: string }
}

export type Stage = FarSides & {
  readonly url: string
  /** Prepared by one scene for another scene of a later start. */
  readonly kept: Kept
  readonly visitor: (headers?: Record<string, string>) => Person
  /** Registers a new user. */
  readonly as: (name: string) => Promise<Person & { readonly email: string }>
  /** Registers a new user with a confirmed age and credits. */
  readonly adult: (name: string) => Promise<Person & { readonly email: string }>
  /** Signs in the first development account, an administrator. */
  readonly admin: () => Promise<Person>
}

/** Restarted if one of its requests was lost on a killed node. */
export type Scene = (stage: Stage) => Promise<void>

export const nobodys = '2147483647'
export const nobodysUuid = '7f1c3d52-3c1e-4a63-9f10-51b1a2a6d7c4'

/** A job of a killed node is done by another node after its lease has expired. */
const patienceMs = 180_000
let made = 0

export function createStage(url: string, far: FarSides, send: typeof fetch): Stage {
  const visitor = (headers: Record<string, string> = {}) => personAt(url, headers, send)
  const admin = async () => {
    const person = visitor()
    await person.accounts.devSignIn()
    return person
  }
  const as = async (name: string) => {
    const person = visitor()
    const email = `${name}-${(made += 1)}@example.test`
    await person.accounts.register({ body: { email, password, firstName: name } })
    return { ...person, email }
  }
  return {
    ...far,
    url,
    kept: {},
    visitor,
    admin,
    as,
    async adult(name) {
      const person = await as(name)
      await person.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
      const { id } = await person.accounts.currentUser()
      const body = { amount: 5000, reason: 'For a scene' }
      await (await admin()).credits.grant({ params: { id }, body })
      return person
    },
  }
}

/** Calls an endpoint by its name, with any body. Every declared response is accepted. */
export function call(
  person: Person,
  name: string,
  { json, ...options }: CallOptions & { readonly json?: unknown } = {},
) {
  const entry = endpoints.find((candidate) => candidate.name === name)
  if (!entry) throw new Error(`${name} is not in the contract`)
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  return callEndpoint(person, entry, { ...body, ...options })
}

/** Polls until the result is as wanted: any node may run the jobs. */
export async function until<T>(ask: () => Promise<T>, isWanted: (found: T) => boolean): Promise<T> {
  for (const deadlineMs = performance.now() + patienceMs; ;) {
    const found = await ask()
    if (isWanted(found)) return found
    if (performance.now() > deadlineMs)
      throw new Error(`still not as wanted: ${JSON.stringify(found).slice(0, 300)}`)
    await sleep(200)
  }
}

/** Opens an event stream, reads once, and closes it. */
export async function hearOnce(person: Person, path: string): Promise<void> {
  const leaving = new AbortController()
  const answer = await listen(person, path, leaving.signal)
  await answer.body?.getReader().read()
  leaving.abort()
}

export function listen(person: Person, path: string, signal: AbortSignal): Promise<Response> {
  return person.fetch(path, { headers: { accept: 'text/event-stream' }, signal })
}
