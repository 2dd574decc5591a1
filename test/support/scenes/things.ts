/** One of everything that a person can have, made through HTTP, and how to ask for each. */
import type { KeyScope } from '../../../src/contract/key-scopes.ts'
import { keyScopes } from '../../../src/contract/key-scopes.ts'
import { dataUri, plain, red } from '../pictures.ts'
import type { Call } from '../private-things.ts'
import { fileOf, upload } from '../vault-world.ts'
import type { Person } from '../world.ts'
import type { Scene, Stage } from './stage.ts'
import { call, hearOnce, nobodys, nobodysUuid } from './stage.ts'

export type Thing = Call & { readonly form?: () => FormData }

export type Things = Readonly<Record<string, Thing>>

export function formOf(name: string, file: File, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set(name, file)
  return form
}

/** As `call`, with a form where the thing has one. */
export async function ask(
  person: Person,
  name: string,
  { params, body, form }: Thing,
  headers: Record<string, string> = {},
) {
  const options = { ...(params && { params }), headers }
  if (!form) return call(person, name, { ...options, ...(body && { json: body }) })
  // The boundary is in the type, which fetch writes itself.
  const encoded = new Response(form())
  const type = { 'content-type': encoded.headers.get('content-type') ?? '' }
  const bytes = new Uint8Array(await encoded.arrayBuffer())
  return call(person, name, { ...options, body: bytes, headers: { ...headers, ...type } })
}

/** Everything here is called by its owner without a refusal, in this order. */
export async function makeThings({ adult }: Stage, name: string) {
  const owner = await adult(name)
  const picture = dataUri(await plain(300, 300, red))
  const file = fileOf(Buffer.from(picture.split(',')[1] ?? '', 'base64'), 'a.png', 'image/png')
  const [kept, other, third] = [await upload(owner), await upload(owner), await upload(owner)]
  const { id: userId } = await owner.accounts.currentUser()
  const slides = [{ mediaId: kept.mediaId }]
  const { session } = await owner.sessions.createManual({
    body: { title: 'By hand', slides, captionTheme: 'custom' },
  })
  const id = String(session.id)
  const { media } = await owner.sessions.read({ params: { id } })
  const ofSession = { sessionId: session.id }
  const { playId } = await owner.sessions.play({ params: { id } })
  const { shareCode } = await owner.sharing.shareSession({ params: { id }, body: {} })
  const { room } = await owner.rooms.open({ body: ofSession })
  const remote = await owner.rooms.addRemote({ params: { code: room.code } })
  const { frame, frameUrl } = await owner.frames.create({
    body: { name: 'Hall', sessionIds: [session.id] },
  })
  await owner.enhancement.giveConsent({ body: { version: 1 } })
  const { jobId } = await owner.captions.captionSession({ body: ofSession })
  const composed = { babeImageUrl: picture, cockImageUrl: picture }
  const { imageUrl } = await owner.images.compose({ body: composed })
  const media0 = media[0]?.id ?? 0
  const params = { id }
  const byCode = { params: { code: room.code } }
  const things: Things = {
    'captions.generate': { body: { media_url: picture, ...ofSession } },
    'captions.generateManual': { body: { image: picture, context: { index: 0, total: 1 } } },
    'captions.rewrite': { body: { caption: 'Look at the bay.' } },
    'captions.rewriteBatch': {
      body: {
        ...ofSession,
        captions: [{ index: 0, caption: 'Look at the bay.' }],
        instruction: 'Softer',
      },
    },
    'captions.prewarm': { body: ofSession },
    'captions.captionSession': { body: { ...ofSession, mediaIds: [media0] } },
    'captions.readJob': { params: { id: jobId } },
    'archives.exportSession': { params },
    'enhancement.generate': { form: () => formOf('image', file, { quality: 'low' }) },
    'frames.create': { body: { name: 'Second', sessionIds: [session.id] } },
    'frames.update': { params: { id: String(frame.id) }, body: { sessionIds: [session.id] } },
    'frames.playlist': { params: { token: frameUrl.slice(-43) } },
    'frames.renew': { params: { id: String(frame.id) } },
    'images.compose': { body: composed },
    'images.uploadFirst': { form: () => formOf('image', file) },
    'images.uploadSecond': { form: () => formOf('image', file) },
    'images.remix': { body: { imageUrl, swap: true } },
    'images.save': { body: { imageUrl } },
    'images.results': {},
    'images.discard': { body: { imageUrl } },
    'images.animate': {
      body: {
        imageUrls: [picture, picture],
        frameMs: 200,
        effect: 'cut',
        size: 128,
        format: 'webp',
      },
    },
    'images.censor': {
      body: {
        imageUrl: picture,
        regions: [{ x: 0.1, y: 0.1, width: 0.5, height: 0.5 }],
        mode: 'bar',
        strength: 5,
      },
    },
    'rooms.open': { body: ofSession },
    'rooms.read': byCode,
    'rooms.command': { ...byCode, body: { command: 'pause' } },
    'rooms.listRemotes': byCode,
    'rooms.addRemote': byCode,
    'rooms.react': { ...byCode, body: { emoji: '👏' } },
    'rooms.removeRemote': { params: { code: room.code, id: String(remote.id) } },
    'sessions.create': { body: { title: 'Evening', subfeeds: 'city' } },
    'sessions.createManual': { body: { title: 'Again', slides: [{ mediaId: kept.mediaId }] } },
    'sessions.read': { params },
    'sessions.update': { params, body: { title: 'Renamed', captionTheme: 'custom' } },
    'sessions.replaceMedia': { params, body: { slides: [{ id: media0 }] } },
    'sessions.updateMedia': {
      params: { id, mediaId: String(media0) },
      body: { caption: 'Another' },
    },
    'sessions.play': { params },
    'sessions.view': { params: { playId: String(playId) }, body: { mediaIds: [media0] } },
    'sharing.shareSession': { params, body: {} },
    'sharing.readShare': { params },
    'sharing.preview': { params: { code: shareCode } },
    'sharing.open': { params: { code: shareCode } },
    'vault.upload': { form: () => formOf('file', file) },
    'vault.findKnown': { body: { hashes: ['0'.repeat(64)] } },
    'frames.list': {},
    'vault.read': { params: { id: kept.id } },
    'vault.share': { params: { id: other.id }, body: { shareToCommunity: false } },
    'vault.shareByPath': { body: { filePath: third.filePath, shareToCommunity: false } },
    'vault.unshare': { params: { id: other.id } },
    'vault.removeByPath': { params: { '*': third.filePath.replace(`users/${userId}/`, '') } },
    'frames.remove': { params: { id: String(frame.id) } },
    'vault.remove': { params: { id: other.id } },
    'sessions.remove': { params },
  }
  return { owner, things, sessionId: id }
}

/** All of it, by its owner; what is not theirs and what is nobody's, by another. */
export const ownThings: Scene = async (stage) => {
  const { owner, things, sessionId } = await makeThings(stage, 'ana')
  const bo = await stage.adult('bo')
  await bo.enhancement.giveConsent({ body: { version: 1 } })
  for (const [name, thing] of Object.entries(things)) {
    await ask(bo, name, thing)
    const params = thing.params && asNobodys(thing.params)
    await ask(owner, name, { ...thing, ...(params && { params }), ...nobodysBody(thing) })
  }
  await ask(owner, 'sessions.refill', { params: { id: sessionId } })
  await hearOnce(owner, `/api/sessions/${sessionId}/events`)
  await hearOnce(owner, `/api/rooms/${things['rooms.read']?.params?.['code']}/events`)
  for (const json of [{ imageUrl: '/media/none.png' }, { imageUrl: 'data:image/png;base64,AAAA' }])
    for (const name of ['images.remix', 'images.save', 'images.discard', 'images.censor'])
      await call(owner, name, { json: { ...things[name]?.body, ...json } })
  const broken = ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA']
  await call(owner, 'images.animate', {
    json: { ...things['images.animate']?.body, imageUrls: broken },
  })
  const stale = { 'if-match': '"1"' }
  for (const name of ['sessions.replaceMedia', 'sessions.updateMedia'])
    await ask(owner, name, things[name] ?? {}, stale)
  const refusals: string[] = []
  for (const [name, thing] of Object.entries(things)) {
    const { status, body } = await ask(owner, name, thing)
    if (status >= 400) refusals.push(`${name}: ${status} ${JSON.stringify(body).slice(0, 120)}`)
  }
  if (refusals.length > 0) throw new Error(refusals.join('; '))
}

/** Callers of a room that is there, of whom only its host is let in. */
export const rooms: Scene = async (stage) => {
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
  for (const id of ['x', nobodys]) await call(owner, 'rooms.removeRemote', { params: { code, id } })
}

/** Someone without credits, with a price that nobody has, for a tier that nobody has. */
export const prices: Scene = async (stage) => {
  const { owner, things, sessionId } = await makeThings(stage, 'pia')
  const admin = await stage.admin()
  const paid: Things = { ...things, 'sessions.refill': { params: { id: sessionId } } }
  const { items: before } = await admin.credits.listPrices()
  const keys = before.map(({ featureKey }) => featureKey)
  const setAll = async (body: object) => {
    for (const featureKey of keys)
      await call(admin, 'credits.changePrice', { params: { featureKey }, json: body })
  }
  const askAll = async (key?: string) => {
    for (const name of paidNames)
      if (paid[name])
        await ask(owner, name, paid[name], key ? { 'idempotency-key': `${key}-${name}` } : {})
  }
  try {
    await setAll({ isPremiumOnly: true })
    await askAll()
    await setAll({ isPremiumOnly: false, creditsRequired: 1_000_000 })
    await askAll()
    for (const featureKey of keys)
      await call(admin, 'credits.disablePrice', { params: { featureKey } })
    await askAll()
  } finally {
    for (const { featureKey, creditsRequired, isActive } of before)
      await call(admin, 'credits.changePrice', {
        params: { featureKey },
        json: { creditsRequired, isActive, isPremiumOnly: false },
      })
  }
}

/** The same key twice with two bodies, and many times at once. */
export const idempotency: Scene = async (stage) => {
  const { owner, things, sessionId } = await makeThings(stage, 'ivo')
  const paid: Things = { ...things, 'sessions.refill': { params: { id: sessionId } } }
  for (const name of paidNames) {
    const thing = paid[name]
    if (!thing) continue
    const key = { 'idempotency-key': `once-${performance.now()}-${name}` }
    await Promise.all(Array.from({ length: 4 }, () => ask(owner, name, thing, key)))
    const other = thing.body ? { ...thing, body: { ...thing.body, more: 1 } } : thing
    await ask(
      owner,
      name === 'captions.rewrite' ? 'sessions.create' : 'captions.rewrite',
      other,
      key,
    )
    await ask(owner, name, thing, { 'idempotency-key': 'x'.repeat(300) })
  }
}

const paidNames = [
  'captions.generateManual',
  'captions.rewrite',
  'captions.rewriteBatch',
  'captions.captionSession',
  'enhancement.generate',
  'images.compose',
  'images.remix',
  'images.animate',
  'images.censor',
  'sessions.create',
  'sessions.refill',
  'sessions.view',
]

function asNobodys(params: Readonly<Record<string, string>>): Record<string, string> {
  const other = (value: string) => {
    if (value.length === 36) return nobodysUuid
    return /^\d+$/.test(value) ? nobodys : value.replace(/^.{6}/, 'BBBBBB')
  }
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, other(value)]))
}

function nobodysBody({ body }: Thing): { body?: object } {
  if (!body) return {}
  const text = JSON.stringify(body)
    .replaceAll(/"(sessionId|mediaId|id)":\d+/g, (_, name: string) => `"${name}":${nobodys}`)
    .replaceAll(/"(sessionIds|mediaIds)":\[\d+\]/g, (_, name: string) => `"${name}":[${nobodys}]`)
  return { body: JSON.parse(text) as object }
}

/** Another person, a key that is for something else, and the key of a disabled account. */
export async function strangersTo({ adult, as, admin, visitor }: Stage): Promise<Person[]> {
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
