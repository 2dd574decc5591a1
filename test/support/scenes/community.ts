/** Scenes of the community, and of takedowns. */
import { dataUri, noise } from '../pictures.ts'
import { fileOf, upload } from '../vault-world.ts'
import type { Person } from '../world.ts'
import type { Scene } from './stage.ts'
import { call, nobodys, nobodysUuid, until } from './stage.ts'
import { ask, formOf, makeSession } from './things.ts'

const published = { policyAgreed: true, tags: ['city'] }

/** Publishes a session. Returns its id in the community, and the id of its source. */
export async function publish(
  person: Person,
  change: object = {},
): Promise<{ id: string; sourceId: string }> {
  const sourceId = await makeSession(person, change)
  const params = { id: String(sourceId) }
  await person.sessions.update({ params, body: { shareToCommunity: true } })
  const isMeant = (item: { kind: string; sourceId: number | null }) =>
    item.kind === 'session' && item.sourceId === sourceId
  const { items } = await until(
    () => person.community.published(),
    ({ items }) => items.some(isMeant),
  )
  return { id: String(items.find(isMeant)?.id), sourceId: params.id }
}

const community: Scene = async ({ adult, as, visitor, admin }) => {
  const [ana, bo] = [await adult('ana'), await adult('bo')]
  const { id } = await publish(ana)
  await bo.community.browse()
  await bo.community.open({ params: { id } })
  const key = { 'idempotency-key': `save-${ana.email}` }
  await call(bo, 'community.save', { params: { id }, headers: key })
  await call(bo, 'community.save', { params: { id: nobodys }, headers: key })
  await call(await as('cy'), 'community.open', { params: { id } })
  const file = await upload(ana)
  const share = (body: object) => call(ana, 'vault.share', { params: { id: file.id }, json: body })
  await share({})
  await share({ policyAgreed: true })
  await share(published)
  const byPath = (json: object) => call(ana, 'vault.shareByPath', { json })
  await byPath({ filePath: file.filePath })
  await byPath({ filePath: file.filePath, policyAgreed: true })
  // A published file may be for adults, also by its link; this one was not published.
  const { shareCode } = await ana.vault.share({
    params: { id: (await upload(ana)).id },
    body: { shareToCommunity: false },
  })
  // A visitor may read from the replica, which is slightly behind.
  await until(
    () => call(visitor(), 'vault.openShared', { params: { code: shareCode } }),
    ({ status }) => status === 200,
  )
  await call(visitor(), 'vault.openShared', { params: { code: nobodysUuid } })
  const young = await as('yul')
  const theirs = await upload(young)
  await call(young, 'vault.share', { params: { id: theirs.id }, json: published })
  await call(young, 'vault.shareByPath', { json: { filePath: theirs.filePath, ...published } })
  await report(visitor(), await admin(), { targetType: 'community_session', targetId: Number(id) })
  // After the takedown: opening it returns nothing, saving it says that it is gone.
  await call(bo, 'community.open', { params: { id } })
  await call(await adult('dan'), 'community.save', { params: { id } })
  const again = await publish(ana)
  await ana.sessions.update({ params: { id: again.sourceId }, body: { shareToCommunity: false } })
  await call(bo, 'community.save', { params: { id: again.id } })
}

async function report(visitor: Person, admin: Person, target: object): Promise<void> {
  const json = { ...target, reason: 'copyright', details: 'Mine' }
  await call(visitor, 'moderation.report', { json })
  await call(visitor, 'moderation.report', { json: { ...json, targetId: Number(nobodys) } })
  const { items } = await admin.moderation.listReports({ query: { limit: '100' } })
  const { targetId } = { targetId: 0, ...target }
  const params = { id: String(items.find((item) => item.targetId === targetId)?.id) }
  await admin.moderation.reportStats()
  await call(admin, 'moderation.reportReach', { params })
  await call(admin, 'moderation.reportReach', { params: { id: nobodys } })
  const resolve = (id: string) =>
    call(admin, 'moderation.resolveReport', { params: { id }, json: { action: 'remove' } })
  await resolve(params.id)
  await resolve(params.id)
  await resolve(nobodys)
}

/** Content that was removed and blocked is refused wherever it is uploaded again. */
const blocked: Scene = async ({ adult, admin, visitor }) => {
  const [ana, bo, cy] = [await adult('ana'), await adult('bo'), await adult('cy')]
  const bytes = await noise(320, 320, 'png', Math.round(performance.now()))
  const file = () => fileOf(bytes, 'photo.png', 'image/png')
  const made = await ana.vault.upload({ form: { file: file() } })
  const id = String(made.media?.id)
  const slides = [{ mediaId: Number(id) }]
  const { session } = await ana.sessions.createManual({ body: { title: 'By hand', slides } })
  const params = { id: String(session.id) }
  const others = await cy.vault.upload({ form: { file: file() } })
  const taken = await publish(cy, { slides: [{ mediaId: others.media?.id ?? 0 }] })
  await ana.vault.share({ params: { id }, body: published })
  const isMeant = (item: { kind: string }) => item.kind === 'media'
  const { items } = await until(
    () => ana.community.published(),
    ({ items }) => items.some(isMeant),
  )
  const target = { targetType: 'community_media', targetId: items.find(isMeant)?.id }
  await call(visitor(), 'moderation.report', { json: { ...target, reason: 'illegal' } })
  const root = await admin()
  const reports = await root.moderation.listReports({ query: { limit: '100' } })
  const found = reports.items.find((item) => item.targetId === target.targetId)
  await call(root, 'moderation.resolveReport', {
    params: { id: String(found?.id) },
    json: { action: 'remove_and_block' },
  })
  await ana.moderation.listNotices()
  await ana.moderation.readNotices()
  await call(ana, 'vault.share', { params: { id }, json: published })
  await call(ana, 'vault.shareByPath', { json: { filePath: made.filePath, ...published } })
  await call(ana, 'sharing.shareSession', { params, json: {} })
  await call(ana, 'sessions.update', { params, json: { shareToCommunity: true } })
  const again = { title: 'Again', slides, shareToCommunity: true }
  await call(ana, 'sessions.createManual', { json: again })
  await call(ana, 'rooms.open', { json: { sessionId: session.id } })
  await call(bo, 'community.save', { params: { id: taken.id } })
  await ask(bo, 'vault.upload', { form: () => formOf('file', file()) })
  for (const name of ['images.uploadFirst', 'images.uploadSecond'])
    await ask(bo, name, { form: () => formOf('image', file()) })
  const picture = dataUri(bytes)
  await call(bo, 'images.compose', { json: { babeImageUrl: picture, cockImageUrl: picture } })
  const frames = { frameMs: 200, effect: 'cut', size: 128, format: 'webp' }
  await call(bo, 'images.animate', { json: { ...frames, imageUrls: [picture, picture] } })
  const regions = [{ x: 0.1, y: 0.1, width: 0.5, height: 0.5 }]
  const cover = { regions, mode: 'bar', strength: 5, imageUrl: picture }
  await call(bo, 'images.censor', { json: cover })
  await bo.enhancement.giveConsent({ body: { version: 1 } })
  await ask(bo, 'enhancement.generate', {
    form: () => formOf('image', file(), { quality: 'low' }),
  })
}

export const communityScenes = { community, blocked } satisfies Record<string, Scene>
