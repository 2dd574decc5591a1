/** Scenes on a site without any remote services, and on one in production mode. */
import { dataUri, plain, red } from '../pictures.ts'
import type { Person } from '../world.ts'
import type { Scene, Stage } from './stage.ts'
import { call } from './stage.ts'
import { makeSession } from './things.ts'

/** The settings that remove the remote services. */
export const bareSettings = {
  CAPTIONS: 'off',
  FEED: 'reddit',
  LEMMY_URL: '',
  FETCH_ALLOW: '',
}

export const productionSettings = { NODE_ENV: 'production', FEED: 'off' }

const withoutFarSides: Scene = async (stage) => {
  const { adult, visitor } = stage
  const ana = await adult('ana')
  const sessionId = await makeSession(ana)
  const picture = dataUri(await plain(60, 60, red))
  const captions = [{ index: 0, caption: 'Look.' }]
  await call(ana, 'captions.generate', { json: { media_url: picture } })
  await call(ana, 'captions.generateManual', {
    json: { image: picture, context: { index: 0, total: 1 } },
  })
  await call(ana, 'captions.rewrite', { json: { caption: 'Look.' } })
  await call(ana, 'captions.rewriteBatch', { json: { sessionId, captions, instruction: 'x' } })
  await call(ana, 'captions.prewarm', { json: { sessionId } })
  await call(ana, 'captions.captionSession', { json: { sessionId } })
  await call(ana, 'feeds.search', { json: { query: 'city' } })
  await call(ana, 'feeds.fetch', { json: { subfeeds: 'city' } })
  await call(ana, 'connections.create', { json: { kind: 'immich', apiKey: 'any' } })
  await call(ana, 'payments.create', { json: { tier: 'vip', method: 'crypto' } })
  await call(visitor(), 'payments.telegramWebhook', { json: { update_id: 1 } })
  await call(visitor(), 'security.forgotPassword', { json: { email: ana.email } })
  const change = { email: `new-${ana.email}`, currentPassword: 'x' }
  await call(ana, 'security.changeEmail', { json: change })
  await call(visitor(), 'accounts.finishSignIn', { query: '?code=x&state=y' })
  const una = keptPerson(stage)
  for (const { id } of await una.passkeys.list())
    await call(una, 'passkeys.remove', { params: { id } })
}

const inProduction: Scene = async (stage) => {
  await call(stage.visitor(), 'accounts.devSignIn')
  await call(keptPerson(stage), 'accounts.resetOnboarding')
}

function keptPerson({ kept: { guarded } }: Stage): Person {
  if (!guarded) throw new Error('nobody was made ready')
  return guarded
}

export const bareScenes = { withoutFarSides } satisfies Record<string, Scene>
export const productionScenes = { inProduction } satisfies Record<string, Scene>
