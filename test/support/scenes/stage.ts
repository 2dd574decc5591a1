/** What a scene of the suite through HTTP has: people of its own, and the far sides of the site. */
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '../../../src/contract/api.ts'
import type { CallOptions } from '../endpoint-caller.ts'
import { callEndpoint } from '../endpoint-caller.ts'
import type { Person } from '../world.ts'
import { password, personAt } from '../world.ts'
import type { FarSides } from './far-sides.ts'

type Kept = {
  /** Whose only other way in is the provider. */
  guarded?: Person
  /** Somebody with a password, and a link that has one. */
  guessed?: { readonly person: Person; readonly shareCode: string }
}

export type Stage = FarSides & {
  readonly url: string
  /** What one scene has made ready for another, of a later start. */
  readonly kept: Kept
  readonly visitor: (headers?: Record<string, string>) => Person
  /** Someone with an account that nobody has had before. */
  readonly as: (name: string) => Promise<Person & { readonly email: string }>
  /** The same, of age and with credits. */
  readonly adult: (name: string) => Promise<Person & { readonly email: string }>
  /** The first development account, an administrator. */
  readonly admin: () => Promise<Person>
}

/** Begun anew where one of its requests was lost on a killed node. */
export type Scene = (stage: Stage) => Promise<void>

export const nobodys = '2147483647'
export const nobodysUuid = '7f1c3d52-3c1e-4a63-9f10-51b1a2a6d7c4'

/** A job that a killed node had begun is done by another once its lease is over. */
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

/** A call by its endpoint's name, with anything as its body; every answer that is declared will do. */
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

/** Asks again until it is as wanted: jobs are done by whichever node comes first. */
export async function until<T>(ask: () => Promise<T>, isWanted: (found: T) => boolean): Promise<T> {
  for (const deadlineMs = performance.now() + patienceMs; ;) {
    const found = await ask()
    if (isWanted(found)) return found
    if (performance.now() > deadlineMs)
      throw new Error(`still not as wanted: ${JSON.stringify(found).slice(0, 300)}`)
    await sleep(200)
  }
}

/** A listener hears something, and goes. */
export async function hearOnce(person: Person, path: string): Promise<void> {
  const leaving = new AbortController()
  const answer = await listen(person, path, leaving.signal)
  await answer.body?.getReader().read()
  leaving.abort()
}

export function listen(person: Person, path: string, signal: AbortSignal): Promise<Response> {
  return person.fetch(path, { headers: { accept: 'text/event-stream' }, signal })
}
