/** The responses of every endpoint to the wrong caller and to invalid input, generated from the contract. */
import { endpoints } from '../../../src/contract/api.ts'
import { changesState, limitOf, needsSignIn } from '../../../src/contract/endpoint.ts'
import { keyScopes, scopeOf } from '../../../src/contract/key-scopes.ts'
import { callEndpoint } from '../endpoint-caller.ts'
import type { Person } from '../world.ts'
import type { Scene, Stage } from './stage.ts'
import { call, nobodys } from './stage.ts'

const nothing = { param: nobodys }
const streams = new Set(['sessions.events', 'rooms.events'])

const doorParts = 8

/** Each has a part of the contract, so that scenes are short. */
export const refusalScenes: Record<string, Scene> = Object.fromEntries(
  Array.from({ length: doorParts }, (_, part) => [
    `doors ${part + 1}`,
    async (stage: Stage) => {
      const callers = await makeCallers(stage)
      for (const [index, entry] of endpoints.entries())
        if (index % doorParts === part) await tryDoor(stage, entry, callers)
    },
  ]),
)

type Callers = {
  readonly disabled: Person
  readonly user: Person
  readonly admin: Person
  readonly keys: ReadonlyMap<string, Person>
}

async function makeCallers({ as, adult, admin, visitor }: Stage): Promise<Callers> {
  const [ida, bo, root] = [await as('ida'), await adult('bo'), await admin()]
  await bo.enhancement.giveConsent({ body: { version: 1 } })
  const { id } = await ida.accounts.currentUser()
  // A disabled account loses its sign-ins; its keys get the reason why they no longer work.
  const idas = await ida.keys.create({ body: { name: 'All', scopes: [...keyScopes] } })
  await root.admin.changeUser({ params: { id }, body: { isActive: false } })
  const disabled = visitor({ authorization: `Bearer ${idas.key}` })
  const keys = new Map<string, Person>()
  for (const scope of keyScopes.slice(0, 2)) {
    const { key } = await bo.keys.create({ body: { name: scope, scopes: [scope] } })
    keys.set(scope, visitor({ authorization: `Bearer ${key}` }))
  }
  return { disabled, user: bo, admin: root, keys }
}

async function tryDoor(
  { visitor }: Stage,
  entry: (typeof endpoints)[number],
  callers: Callers,
): Promise<void> {
  const { name, endpoint } = entry
  const isForAdmins = endpoint.who === 'admin' || endpoint.who === 'super_admin'
  const caller = isForAdmins ? callers.admin : callers.user
  if (needsSignIn(endpoint)) {
    await callEndpoint(visitor(), entry, nothing)
    await callEndpoint(callers.disabled, entry, nothing)
    if (isForAdmins) await callEndpoint(callers.user, entry, nothing)
    for (const [scope, program] of callers.keys)
      if (scopeOf(endpoint) !== scope) await callEndpoint(program, entry, nothing)
  }
  const elsewhere = { 'sec-fetch-site': 'cross-site' }
  if (changesState(endpoint)) await callEndpoint(caller, entry, { ...nothing, headers: elsewhere })
  if (endpoint.params) {
    await callEndpoint(caller, entry, { param: 'x' })
    await callEndpoint(caller, entry, { param: '~' })
    if (!streams.has(name)) await callEndpoint(caller, entry, nothing)
  }
  if (endpoint.body) {
    await callEndpoint(caller, entry, { ...nothing, body: '{' })
    await callEndpoint(caller, entry, { ...nothing, body: '[7]' })
    // Wrong types for fields that most bodies have.
    const wrong = JSON.stringify({ email: 7, items: 7, body: 7, currentPassword: 7, confirm: 7 })
    await callEndpoint(caller, entry, { ...nothing, body: wrong })
  }
  if (endpoint.query && name !== 'accounts.finishSignIn')
    for (const query of badQueries) await callEndpoint(caller, entry, { ...nothing, query })
  if (endpoint.form) {
    await callEndpoint(caller, entry, nothing)
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    await callEndpoint(caller, entry, { ...nothing, headers, body: '--x\r\nbroken' })
  }
  if (endpoint.price) {
    const headers = { 'idempotency-key': 'x'.repeat(300) }
    await callEndpoint(caller, entry, { ...nothing, headers })
  }
}

/** Duplicate or non-numeric parameters: at least one is invalid for every endpoint that reads a query. */
const badQueries = [
  `?${['limit', 'page', 'days', 'trash', 'account', 'redirect', 'q'].map((name) => `${name}=x&${name}=y`).join('&')}`,
]

const limitParts = 6

/** Scenes with limits of one: call each endpoint until it refuses. */
export const limitScenes: Record<string, Scene> = {
  guesses,
  ...Object.fromEntries(
    Array.from({ length: limitParts }, (_, part) => [
      `limits ${part + 1}`,
      async ({ admin, visitor }: Stage) => {
        const root = await admin()
        const limited = endpoints.filter(({ endpoint }) => limitOf(endpoint))
        for (const [index, entry] of limited.entries())
          if (index % limitParts === part) {
            const caller = needsSignIn(entry.endpoint) ? root : visitor()
            await untilLimited(caller, entry)
          }
      },
    ]),
  ),
}

/** Endpoints whose limits count only wrong attempts. */
async function guesses({ visitor, kept: { guessed } }: Stage): Promise<void> {
  if (!guessed) throw new Error('nobody was made ready')
  const { person, shareCode } = guessed
  const wrong = { email: 'x@example.test', password: 'wrong' }
  const change = { currentPassword: 'wrong', newPassword: 'quite another password' }
  for (let tries = 0; tries < 2; tries += 1) {
    await call(visitor(), 'accounts.signIn', { json: wrong })
    await call(visitor(), 'accounts.startSignIn')
    await call(person, 'security.changePassword', { json: change })
    await call(visitor({ 'x-share-password': 'wrong' }), 'sharing.preview', {
      params: { code: shareCode },
    })
  }
}

async function untilLimited(caller: Person, entry: (typeof endpoints)[number]): Promise<void> {
  const body = { query: 'city', subfeeds: 'city', email: 'x@example.test', password: 'x' }
  const options = {
    ...nothing,
    ...(entry.endpoint.body && { body: JSON.stringify(body) }),
    ...(entry.name === 'feeds.suggest' && { query: '?q=c' }),
  }
  for (let tries = 0; tries < 4; tries += 1)
    if ((await callEndpoint(caller, entry, options)).status === 429) return
}
