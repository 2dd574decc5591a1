/**
 * Creates one of everything that a user can have, through the API, and returns the call that requests each.
 */
import { randomUUID } from 'node:crypto'
import { blue, dataUri, noise, plain, red } from '../pictures.ts'
import type { Call } from '../private-things.ts'
import { fileOf, upload } from '../vault-world.ts'
import type { Person } from '../world.ts'
import type { Stage } from './stage.ts'
import { call, until } from './stage.ts'

export type Thing = Call & { readonly form?: () => FormData }

export type Things = Readonly<Record<string, Thing>>

export function formOf(name: string, file: File, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set(name, file)
  return form
}

/** Returns a small picture: enlarging it takes a second or two, one of a usual size a minute. */
export async function smallPicture(): Promise<File> {
  return fileOf(await noise(40, 30, 'png', 5), 'a.png', 'image/png')
}

/** Returns a new idempotency key, for a call that may be retried. */
export function newKey(): { readonly 'idempotency-key': string } {
  return { 'idempotency-key': randomUUID() }
}

/** Repeats a paid call until it ends: after a kill its key stays busy until that is noticed. */
export async function askPaid(person: Person, name: string, thing: Thing) {
  const toItsEnd = async () => {
    const key = newKey()
    return until(
      () => ask(person, name, thing, key),
      ({ body }) => codeOf(body) !== 'IDEMPOTENCY_IN_PROGRESS',
    )
  }
  // An interrupted call was refunded and may be repeated.
  return until(toItsEnd, ({ body }) => codeOf(body) !== 'INTERRUPTED')
}

export function codeOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : null
}

/** Calls an endpoint, with a form if the thing has one. */
export async function ask(
  person: Person,
  name: string,
  { params, body, form }: Thing,
  headers: Record<string, string> = {},
) {
  const options = { ...(params && { params }), headers }
  if (!form) return call(person, name, { ...options, ...(body && { json: body }) })
  // The content type contains the boundary, which Response writes.
  const encoded = new Response(form())
  const type = { 'content-type': encoded.headers.get('content-type') ?? '' }
  const bytes = new Uint8Array(await encoded.arrayBuffer())
  return call(person, name, { ...options, body: bytes, headers: { ...headers, ...type } })
}

/** Creates a session of one picture and returns its id. */
export async function makeSession(person: Person, change: object = {}): Promise<number> {
  const { mediaId } = await upload(person)
  const { session } = await person.sessions.createManual({
    body: { title: 'By hand', slides: [{ mediaId }], ...change },
  })
  return session.id
}

/** Creates a session of a subfeed and waits until it is filled. */
export async function makeFilled(person: Person, subfeeds: string) {
  const body = { title: 'Evening', subfeeds, captionTheme: 'custom' as const }
  const { id } = await person.sessions.create({ body })
  const params = { id: String(id) }
  await until(
    () => person.sessions.read({ params }),
    ({ session: { fillStatus } }) => fillStatus === 'ready' || fillStatus === 'failed',
  )
  return params
}

/** Creates all things. The owner can make each call without a refusal, in this order. */
export async function makeThings({ adult }: Stage, name: string) {
  const owner = await adult(name)
  const picture = dataUri(await plain(300, 300, red))
  const file = fileOf(Buffer.from(picture.split(',')[1] ?? '', 'base64'), 'a.png', 'image/png')
  const small = await smallPicture()
  const [kept, other, third] = [await upload(owner), await upload(owner), await upload(owner)]
  const { id: userId } = await owner.accounts.currentUser()
  const slides = [{ mediaId: kept.mediaId }]
  const { session } = await owner.sessions.createManual({
    body: { title: 'By hand', slides, captionTheme: 'custom' },
  })
  const id = String(session.id)
  const { media } = await owner.sessions.read({ params: { id } })
  const ofSession = { sessionId: session.id }
  const filled = await makeFilled(owner, 'city')
  const { playId } = await owner.sessions.play({ params: filled })
  const seen = (await owner.sessions.read({ params: filled })).media.map((slide) => slide.id)
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
    'enhancement.generate': { form: () => formOf('image', small, { quality: 'low' }) },
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
        imageUrls: [picture, dataUri(await plain(300, 300, blue))],
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
    'sessions.view': { params: { playId: String(playId) }, body: { mediaIds: seen } },
    'sessions.duplicate': { params },
    'sessions.refill': { params: filled },
    'sharing.shareSession': { params, body: {} },
    'sharing.readShare': { params },
    'sharing.preview': { params: { code: shareCode } },
    'archives.exportShared': { params: { code: shareCode } },
    'sharing.open': { params: { code: shareCode } },
    'vault.upload': { form: () => formOf('file', file) },
    'vault.findKnown': { body: { hashes: ['0'.repeat(64)] } },
    'frames.list': {},
    'vault.read': { params: { id: kept.id } },
    'vault.mark': { params: { id: kept.id }, body: { isFavorite: true } },
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
