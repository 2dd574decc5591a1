/** Scenes of shared links, and of users without a confirmed age. */
import { dataUri, plain, red } from '../pictures.ts'
import { upload } from '../vault-world.ts'
import type { Person } from '../world.ts'
import type { Scene } from './stage.ts'
import { call, hearOnce, nobodysUuid, until } from './stage.ts'
import { makeSession } from './things.ts'

const shares: Scene = async ({ adult, as, visitor, url }) => {
  const [ana, bo] = [await adult('ana'), await as('bo')]
  const id = await makeSession(ana)
  const params = { id: String(id) }
  await call(ana, 'sharing.readShare', { params })
  const share = (body: object) => call(ana, 'sharing.shareSession', { params, json: body })
  const code = ((await share({})).body as { shareCode: string }).shareCode
  await bo.sharing.open({ params: { code } })
  await until(
    () => call(visitor(), 'sharing.preview', { params: { code } }),
    ({ status }) => status === 200,
  )
  const embed = (query: string) =>
    call(visitor(), 'sharing.oembed', {
      query: `?url=${encodeURIComponent(`${url}/shared/${code}`)}${query}`,
    })
  await embed('')
  await share({ access: 'anyone' })
  // A visitor may read from the replica, which is slightly behind.
  await until(
    () => embed(''),
    ({ status }) => status === 200,
  )
  await embed('&format=xml')
  const anybody = visitor({ 'x-share-code': code })
  const ofNobody = await call(anybody, 'sessions.play', { params })
  await call(visitor(), 'sharing.oembed', {
    query: `?url=${encodeURIComponent(`${url}/shared/${nobodysUuid}`)}`,
  })
  await call(bo, 'rooms.open', { json: { shareCode: nobodysUuid } })
  await share({ password: 'open sesame' })
  const { playId } = ofNobody.body as { playId: number }
  const { media } = await ana.sessions.read({ params })
  const mediaIds = media.map((slide) => slide.id)
  const askAll = async () => {
    const headers = { 'x-share-code': code }
    await call(visitor(), 'sharing.preview', { params: { code } })
    await call(bo, 'sharing.open', { params: { code } })
    await call(bo, 'archives.exportShared', { params: { code } })
    await call(bo, 'rooms.open', { json: { shareCode: code } })
    for (const name of ['sessions.read', 'sessions.play', 'sessions.events'])
      await call(bo, name, { params, headers })
    await call(bo, 'captions.prewarm', { json: { sessionId: id }, headers })
    const picture = { media_url: 'data:image/png;base64,AAAA', sessionId: id }
    await call(bo, 'captions.generate', { json: picture, headers })
    await call(anybody, 'sessions.view', { params: { playId: String(playId) }, json: { mediaIds } })
  }
  await askAll()
  await share({ expiresAt: new Date(0).toISOString() })
  await until(
    async () => (await call(visitor(), 'sharing.preview', { params: { code } })).status,
    (status) => status === 410,
  )
  await embed('')
  await askAll()
  await share({ password: null, expiresAt: new Date(Date.now() + 1500).toISOString() })
  await until(
    async () => (await call(visitor(), 'sharing.preview', { params: { code } })).status,
    (status) => status === 410,
  )
  await embed('')
  await askAll()
}

/** Prepares a user and a link whose passwords other scenes guess. */
const guessed: Scene = async ({ adult, kept }) => {
  const person = await adult('gil')
  const { shareCode } = await person.sharing.shareSession({
    params: { id: String(await makeSession(person)) },
    body: { password: 'open sesame' },
  })
  kept.guessed = { person, shareCode }
}

/** Lets a user create adult content and then lose the confirmed age. */
const young: Scene = async (stage) => {
  const { adult, as, admin, visitor } = stage
  const [yul, host] = [await adult('yul'), await adult('host')]
  const adultThings = { nsfw: true, captionTheme: 'joi' }
  const { mediaId } = await upload(yul)
  const id = await makeSession(yul, adultThings)
  const plainId = await makeSession(yul)
  const ofSession = { sessionId: id }
  const { room } = await yul.rooms.open({ body: { sessionId: plainId } })
  await forgetAge(await admin(), yul)
  const picture = dataUri(await plain(60, 60, red))
  const shown = { ...adultThings, shareToCommunity: true }
  await call(yul, 'sessions.create', { json: { title: 'x', subfeeds: 'city', ...shown } })
  await call(yul, 'sessions.createManual', {
    json: { title: 'x', slides: [{ mediaId }], ...shown },
  })
  await call(yul, 'sessions.update', { params: { id: String(plainId) }, json: shown })
  await call(yul, 'captions.prewarm', { json: ofSession })
  await call(yul, 'captions.captionSession', { json: ofSession })
  await call(yul, 'captions.generate', { json: { media_url: picture, ...ofSession } })
  const captions = [{ index: 0, caption: 'Look.' }]
  await call(yul, 'captions.rewriteBatch', { json: { ...ofSession, captions, instruction: 'x' } })
  await call(yul, 'rooms.open', { json: ofSession })
  const swap = { command: 'swap', sessionId: id }
  await call(yul, 'rooms.command', { params: { code: room.code }, json: swap })
  const sessionId = await makeSession(host, adultThings)
  await seeRoom(visitor(), (await host.rooms.open({ body: { sessionId } })).room.code)
  await seeRoom(await as('cy'), room.code)
}

async function seeRoom(person: Person, code: string): Promise<void> {
  const params = { code }
  await call(person, 'rooms.read', { params })
  await call(person, 'rooms.react', { params, json: { emoji: '👏' } })
  await hearOnce(person, `/api/rooms/${code}/events`)
}

async function forgetAge(admin: Person, person: Person): Promise<void> {
  const { id } = await person.accounts.currentUser()
  await admin.admin.changeUser({ params: { id }, body: { ageVerified: false } })
}

export const shareScenes = { shares, guessed, young } satisfies Record<string, Scene>
