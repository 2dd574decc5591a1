/** Scenes of ownership: the owner has access to everything, others to nothing. */
import { endpoints } from '../../../src/contract/api.ts'
import type { KeyScope } from '../../../src/contract/key-scopes.ts'
import { keyScopes } from '../../../src/contract/key-scopes.ts'
import { fileOf, samples } from '../vault-world.ts'
import type { Person } from '../world.ts'
import type { Scene, Stage } from './stage.ts'
import { call, hearOnce, listen, nobodys, nobodysUuid } from './stage.ts'
import type { Thing } from './things.ts'
import { ask, askPaid, formOf, makeSession, makeThings } from './things.ts'

/** Calls everything as the owner. */
const ownThings: Scene = async (stage) => {
  const { owner, things, sessionId } = await makeThings(stage, 'ana')
  await hearOnce(owner, `/api/sessions/${sessionId}/events`)
  await hearOnce(owner, `/api/rooms/${things['rooms.read']?.params?.['code']}/events`)
  const refusals: string[] = []
  for (const [name, thing] of Object.entries(things)) {
    const { status, body } = await (isPaid(name) ? askPaid : ask)(owner, name, thing)
    if (status >= 400) refusals.push(`${name}: ${status} ${JSON.stringify(body).slice(0, 120)}`)
  }
  if (refusals.length > 0) throw new Error(refusals.join('; '))
}

/** Calls with another user's things, and with ids that do not exist. */
const othersThings: Scene = async (stage) => {
  const { owner, things } = await makeThings(stage, 'ana')
  const bo = await stage.adult('bo')
  await bo.enhancement.giveConsent({ body: { version: 1 } })
  for (const [name, thing] of Object.entries(things)) {
    await ask(bo, name, thing)
    for (const nobodysThing of nobodysOf(thing)) await ask(owner, name, nobodysThing)
  }
  const [mine, theirs] = [await makeSession(owner), await makeSession(bo)]
  for (const name of ['sessions.read', 'sessions.play', 'sessions.events'])
    for (const id of [String(mine), nobodys]) await call(bo, name, { params: { id } })
  for (const name of ['captions.generate', 'captions.prewarm', 'rooms.open'])
    await ask(bo, name, { body: { ...things[name]?.body, sessionId: mine } })
  await ask(owner, 'frames.update', { ...things['frames.update'], body: { sessionIds: [theirs] } })
}

/** Calls with invalid pictures and with outdated versions. */
const wrongThings: Scene = async (stage) => {
  const { owner, things, sessionId } = await makeThings(stage, 'ana')
  const broken = 'data:image/png;base64,AAAA'
  for (const imageUrl of ['/media/none.png', broken])
    for (const name of ['images.remix', 'images.save', 'images.discard', 'images.censor'])
      await call(owner, name, { json: { ...things[name]?.body, imageUrl } })
  const frames = { ...things['images.animate']?.body, imageUrls: [broken, broken] }
  await call(owner, 'images.animate', { json: frames })
  await call(owner, 'images.compose', { json: { babeImageUrl: broken, cockImageUrl: broken } })
  const page = fileOf(samples.html, 'a.png', 'image/png')
  for (const name of ['images.uploadFirst', 'images.uploadSecond'])
    await ask(owner, name, { form: () => formOf('image', page) })
  await call(owner, 'vault.removeByPath', { params: { '*': 'x'.repeat(1200) } })
  for (const name of ['sessions.replaceMedia', 'sessions.updateMedia'])
    await ask(owner, name, things[name] ?? {}, { 'if-match': '"1"' })
  const change = { params: { id: sessionId, mediaId: nobodys }, json: { caption: 'x' } }
  await call(owner, 'sessions.updateMedia', change)
}

function isPaid(name: string): boolean {
  return endpoints.some(({ name: other, endpoint }) => other === name && endpoint.price)
}

/** Calls to an existing room, which only its host may control. */
const rooms: Scene = async (stage) => {
  const { owner, things } = await makeThings(stage, 'ria')
  const callers = [stage.visitor(), ...(await strangersTo(stage))]
  const code = things['rooms.read']?.params?.['code'] ?? ''
  for (const name of ['command', 'addRemote', 'listRemotes', 'removeRemote', 'react', 'read']) {
    const thing = things[`rooms.${name}`] ?? {}
    for (const caller of callers) await ask(caller, `rooms.${name}`, thing)
  }
  for (const name of ['rooms.command', 'rooms.react'])
    for (const body of ['{', '[7]']) await call(owner, name, { params: { code }, body })
  await call(owner, 'rooms.command', {
    params: { code },
    json: { command: 'next', ifSequence: -5 },
  })
  const others = await makeSession(await stage.adult('cy'))
  for (const sessionId of [others, Number(nobodys)])
    await call(owner, 'rooms.command', { params: { code }, json: { command: 'swap', sessionId } })
  for (const id of ['x', nobodys]) await call(owner, 'rooms.removeRemote', { params: { code, id } })
}

/** Returns the call with nonexistent ids, once for each place that has one. */
function nobodysOf({ params, body, form }: Thing): Thing[] {
  const text = JSON.stringify(body ?? {})
  const bodies = [/"(id|mediaId|mediaIds)":(\[?)\d+/g, /"(sessionId|sessionIds)":(\[?)\d+/g]
    .map((field) => text.replaceAll(field, `"$1":$2${nobodys}`))
    .filter((changed) => changed !== text)
  return [
    ...(params
      ? [{ params: asNobodys(params), ...(body && { body }), ...(form && { form }) }]
      : []),
    ...bodies.map((changed) => ({
      ...(params && { params }),
      body: JSON.parse(changed) as object,
    })),
  ]
}

function asNobodys(params: Readonly<Record<string, string>>): Record<string, string> {
  const other = (value: string) => {
    if (value.length === 36) return nobodysUuid
    return /^\d+$/.test(value) ? nobodys : value.replace(/^.{6}/, 'BBBBBB')
  }
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, other(value)]))
}

/** Returns another user, a key with the wrong scope, and the key of a disabled account. */
async function strangersTo({ adult, as, admin, visitor }: Stage): Promise<Person[]> {
  const [bo, ida] = [await adult('bo'), await as('ida')]
  const keyOf = async (person: Person, scopes: KeyScope[]) => {
    const { key } = await person.keys.create({ body: { name: 'A program', scopes } })
    return visitor({ authorization: `Bearer ${key}` })
  }
  const [narrow, disabled] = [await keyOf(bo, ['media:read']), await keyOf(ida, [...keyScopes])]
  const { id } = await ida.accounts.currentUser()
  await (await admin()).admin.changeUser({ params: { id }, body: { isActive: false } })
  return [bo, narrow, disabled]
}

/** Opens more event streams than an account may have. */
const streams: Scene = async (stage) => {
  const ana = await stage.adult('ana')
  const path = `/api/sessions/${await makeSession(ana)}/events`
  const leaving = new AbortController()
  try {
    for (let open = 0; open < 60; open += 1)
      if ((await listen(ana, path, leaving.signal)).status === 429) return
  } finally {
    leaving.abort()
  }
}

export const ownerScenes = {
  ownThings,
  othersThings,
  wrongThings,
  rooms,
  streams,
} satisfies Record<string, Scene>
