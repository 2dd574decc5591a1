/** Scenes of administration and of public endpoints. */
import { noise } from '../pictures.ts'
import { fileOf, pngFile } from '../vault-world.ts'
import { password, refused } from '../world.ts'
import { publish } from './community.ts'
import { exportOf } from './library.ts'
import type { Scene } from './stage.ts'
import { call, nobodys, nobodysUuid } from './stage.ts'
import { ask, askPaid, formOf, makeThings } from './things.ts'

const administration: Scene = async ({ admin, as }) => {
  const root = await admin()
  const slug = `word-${Math.round(performance.now() * 1000)}`
  await root.admin.users()
  await root.admin.settings()
  await root.admin.changeSettings({ body: { lowBalanceThreshold: 10 } })
  await root.admin.tags()
  const tag = { slug, label: 'Word' }
  await root.admin.createTag({ body: tag })
  await refused(root.admin.createTag({ body: tag }))
  await root.admin.changeTag({ params: { slug }, body: { label: 'Other' } })
  await call(root, 'admin.changeTag', { params: { slug: 'none' }, json: { label: 'x' } })
  const { items } = await root.admin.categories()
  const made = await root.admin.createCategory({ body: { slug, name: 'Word' } })
  await refused(root.admin.createCategory({ body: { slug, name: 'Word' } }))
  const change = (id: number, json: object) =>
    call(root, 'admin.changeCategory', { params: { id: String(id) }, json })
  await change(made.id, { name: 'Other' })
  await change(Number(nobodys), { name: 'Other' })
  const first = items.find(({ isDefault }) => isDefault)
  const other = items.find(({ isDefault }) => !isDefault)
  await change(made.id, { slug: other?.slug })
  await change(first?.id ?? 0, { slug: 'another' })
  await root.admin.activity()
  await root.admin.stats()
  await root.admin.statsByDay()
  await root.adminJobs.list()
  for (const name of ['adminJobs.retry', 'adminJobs.discard'])
    await call(root, name, { params: { id: nobodysUuid } })
  const featureKey = slug.replaceAll('-', '_')
  const price = { featureKey, displayName: 'A thing', creditsRequired: 3 }
  await call(root, 'credits.createPrice', { json: price })
  await call(root, 'credits.createPrice', { json: price })
  for (const key of [featureKey, 'none_such']) {
    const params = { featureKey: key }
    await call(root, 'credits.changePrice', { params, json: { creditsRequired: 'much' } })
    await call(root, 'credits.changePrice', { params, json: { creditsRequired: 4 } })
    await call(root, 'credits.disablePrice', { params })
  }
  const ana = await as('ana')
  const { id } = await ana.accounts.currentUser()
  await call(root, 'admin.changeUser', { params: { id }, json: { tier: 'vip' } })
  await call(root, 'admin.changeUser', { params: { id: 'nobody' }, json: { tier: 'vip' } })
  await call(root, 'credits.grant', { params: { id: 'nobody' }, json: { amount: 1, reason: 'x' } })
  for (const account of [id, 'nobody'])
    await call(root, 'credits.accountTransactions', { params: { id: account } })
  const json = { reason: 'It was not what it said' }
  for (const person of [ana, root]) {
    await call(person, 'sessions.create', { json: { title: 'Given back', subfeeds: 'city' } })
    const { transactions } = await person.credits.transactions({ query: { type: 'spend' } })
    const params = { id: String(transactions[0]?.id) }
    await call(root, 'credits.refund', { params, json })
    await call(root, 'credits.refund', { params, json })
  }
  await call(root, 'credits.refund', { params: { id: nobodys }, json })
}

const everyone: Scene = async ({ visitor }) => {
  const anyone = visitor()
  for (const name of [
    'operations.alive',
    'operations.ready',
    'operations.openapi',
    'operations.docs',
    'classification.tags',
    'classification.categories',
    'site.read',
    'rooms.time',
    'credits.pricing',
    'operations.metrics',
  ])
    await call(anyone, name)
  await call(visitor({ authorization: 'Bearer figures' }), 'operations.metrics')
  await call(anyone, 'accounts.finishSignIn', { query: '?state=1&state=2' })
}

/** Changes settings of the whole site, which would disturb other scenes. */
const wholeSite: Scene = async ({ admin, visitor, as }) => {
  const [root, ana] = [await admin(), await as('ana')]
  try {
    await root.admin.changeSettings({
      body: { registration: 'closed', credits: 'off', publicCommunity: false },
    })
    await call(visitor(), 'community.browse')
    await call(visitor(), 'community.open', { params: { id: nobodys } })
    await call(visitor(), 'accounts.register', { json: { email: 'x@example.test', password } })
    await call(ana, 'credits.claimBonus')
    await call(ana, 'payments.create', { json: { packageId: 'starter', method: 'crypto' } })
    await root.admin.changeSettings({ body: { credits: 'on', dailyBonus: 0 } })
    await call(ana, 'credits.claimBonus')
  } finally {
    await root.admin.changeSettings({
      body: { registration: 'open', credits: 'on', dailyBonus: 25, publicCommunity: true },
    })
  }
}

/** Exceeds the quota of an account and the size limit of uploads. */
const fullQuota: Scene = async (stage) => {
  const { owner, things } = await makeThings(stage, 'qi')
  const file = fileOf(await noise(700, 700, 'png', 3), 'a.png', 'image/png')
  const zip = await exportOf(owner)
  const { id } = await publish(await stage.adult('oz'))
  const made = await askPaid(owner, 'enhancement.generate', things['enhancement.generate'] ?? {})
  const { generationId = 0 } = made.body as { generationId?: number }
  const root = await stage.admin()
  // More than the later quota.
  await owner.vault.upload({ form: { file } })
  try {
    // In this order: a full account gets the quota error even for a file that is too large.
    await root.admin.changeSettings({ body: { uploadLimitMb: 1 } })
    await ask(owner, 'vault.upload', { form: () => formOf('file', file) })
    await root.admin.changeSettings({ body: { quotaMb: { free: 1 } } })
    await ask(owner, 'vault.upload', { form: () => formOf('file', pngFile()) })
    for (let tries = 0; tries < 3; tries += 1)
      await ask(owner, 'images.uploadFirst', { form: () => formOf('image', file) })
    await ask(owner, 'images.uploadSecond', { form: () => formOf('image', file) })
    for (const name of ['images.compose', 'images.animate', 'images.censor', 'images.remix'])
      await ask(owner, name, things[name] ?? {})
    await ask(owner, 'images.save', things['images.save'] ?? {})
    await ask(owner, 'enhancement.generate', things['enhancement.generate'] ?? {})
    await call(owner, 'enhancement.saveResult', { json: { generationId } })
    await ask(owner, 'archives.importLibrary', { form: () => formOf('file', zip) })
    await ask(owner, 'imports.importSession', { form: () => formOf('file', zip) })
    const urls = ['https://a.example/1.png']
    await call(owner, 'imports.importSession', { json: { title: 'x', urls } })
    await call(owner, 'community.save', { params: { id } })
  } finally {
    await root.admin.changeSettings({ body: { quotaMb: { free: 1000 }, uploadLimitMb: 100 } })
  }
}

/** They change the permissions of other scenes. */
export const wholeSiteScenes = { wholeSite, fullQuota } satisfies Record<string, Scene>

export const siteScenes = { administration, everyone } satisfies Record<string, Scene>
