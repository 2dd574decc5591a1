/** What people show each other, what they are paid for and pay, and what administrators do. */
import { dataUri, noise } from '../pictures.ts'
import { fileOf, upload } from '../vault-world.ts'
import type { Person } from '../world.ts'
import { password, refused } from '../world.ts'
import type { Scene, Stage } from './stage.ts'
import { call, nobodys, nobodysUuid, until } from './stage.ts'
import { ask, formOf, makeThings } from './things.ts'

const onePixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const published = { policyAgreed: true, tags: ['city'] }

async function makeSession(person: Person, change: object = {}) {
  const { mediaId } = await upload(person)
  const { session } = await person.sessions.createManual({
    body: { title: 'By hand', slides: [{ mediaId }], ...change },
  })
  return session.id
}

/** Published, and its id in the community. */
async function publish(person: Person): Promise<string> {
  const id = String(await makeSession(person))
  await person.sessions.update({ params: { id }, body: { shareToCommunity: true } })
  const { items } = await until(
    () => person.community.published(),
    ({ items }) => items.length > 0,
  )
  return String(items[0]?.id)
}

const community: Scene = async ({ adult, as, visitor, admin }) => {
  const [ana, bo] = [await adult('ana'), await adult('bo')]
  const id = await publish(ana)
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
  const { shareCode } = await ana.vault.share({
    params: { id: file.id },
    body: { shareToCommunity: false },
  })
  // A stranger may be shown what the replica has, which is a moment behind.
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
  await call(bo, 'community.save', { params: { id } })
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

/** What was taken down with its content is refused wherever it comes again. */
const blocked: Scene = async ({ adult, admin, visitor }) => {
  const ana = await adult('ana')
  const bytes = await noise(64, 64, 'png', Math.round(performance.now()))
  const file = () => fileOf(bytes, 'photo.png', 'image/png')
  const made = await ana.vault.upload({ form: { file: file() } })
  const id = String(made.media?.id)
  const session = await ana.sessions.createManual({
    body: { title: 'By hand', slides: [{ mediaId: Number(id) }] },
  })
  const params = { id: String(session.session.id) }
  await ana.vault.share({ params: { id }, body: published })
  const { items } = await until(
    () => ana.community.browse({ query: { kind: 'media' } }),
    ({ items }) => items.length > 0,
  )
  const root = await admin()
  for (const item of items)
    await call(visitor(), 'moderation.report', {
      json: { targetType: 'community_media', targetId: item.id, reason: 'illegal' },
    })
  const reports = await root.moderation.listReports({ query: { limit: '100' } })
  for (const { id } of reports.items)
    await call(root, 'moderation.resolveReport', {
      params: { id: String(id) },
      json: { action: 'remove_and_block' },
    })
  await ana.moderation.listNotices()
  await ana.moderation.readNotices()
  const bo = await adult('bo')
  await call(ana, 'vault.share', { params: { id }, json: published })
  await call(ana, 'sharing.shareSession', { params, json: {} })
  await call(ana, 'sessions.update', { params, json: { shareToCommunity: true } })
  await call(ana, 'rooms.open', { json: { sessionId: session.session.id } })
  await ask(bo, 'vault.upload', { form: () => formOf('file', file()) })
  for (const name of ['images.uploadFirst', 'images.uploadSecond'])
    await ask(bo, name, { form: () => formOf('image', file()) })
  const picture = dataUri(bytes)
  await call(bo, 'images.compose', { json: { babeImageUrl: picture, cockImageUrl: picture } })
}

const shares: Scene = async ({ adult, as, visitor, url }) => {
  const [ana, bo, young] = [await adult('ana'), await as('bo'), await as('yul')]
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
  await embed('')
  await embed('&format=xml')
  await call(visitor(), 'sharing.oembed', {
    query: `?url=${encodeURIComponent(`${url}/shared/${nobodysUuid}`)}`,
  })
  await call(young, 'rooms.open', { json: { shareCode: code } })
  await call(young, 'rooms.open', { json: { shareCode: nobodysUuid } })
  await share({ password: 'open sesame' })
  const closed = async () => {
    const headers = { 'x-share-code': code }
    await call(visitor(), 'sharing.preview', { params: { code } })
    await call(bo, 'sharing.open', { params: { code } })
    await call(bo, 'rooms.open', { json: { shareCode: code } })
    for (const name of ['sessions.read', 'sessions.play', 'sessions.events'])
      await call(bo, name, { params, headers })
    await call(bo, 'captions.prewarm', { json: { sessionId: id }, headers })
    const picture = { media_url: 'data:image/png;base64,AAAA', sessionId: id }
    await call(bo, 'captions.generate', { json: picture, headers })
  }
  const play = await bo.sessions.play({
    params,
    headers: { 'x-share-code': code, 'x-share-password': encodeURIComponent('open sesame') },
  })
  const { media } = await ana.sessions.read({ params })
  const seen = media.map(({ id }) => id)
  const view = () =>
    call(bo, 'sessions.view', {
      params: { playId: String(play.playId) },
      json: { mediaIds: seen },
      headers: { 'x-share-code': code },
    })
  await closed()
  await view()
  await share({ password: null, expiresAt: new Date(Date.now() + 1500).toISOString() })
  await until(
    async () => (await call(visitor(), 'sharing.preview', { params: { code } })).status,
    (status) => status === 410,
  )
  await closed()
  await view()
}

/** Those whose age is not known, where it has to be. */
const young: Scene = async ({ as }) => {
  const yul = await as('yul')
  const { mediaId } = await upload(yul)
  const nsfw = { nsfw: true, captionTheme: 'joi' }
  await call(yul, 'sessions.create', { json: { title: 'x', subfeeds: 'city', ...nsfw } })
  await call(yul, 'sessions.createManual', { json: { title: 'x', slides: [{ mediaId }], ...nsfw } })
  const id = await makeSession(yul)
  await call(yul, 'sessions.update', { params: { id: String(id) }, json: nsfw })
  const urls = ['https://example.com/a.png']
  await call(yul, 'imports.importSession', { json: { title: 'x', urls } })
  const ofSession = { sessionId: id }
  await call(yul, 'captions.prewarm', { json: ofSession })
  await call(yul, 'captions.captionSession', { json: ofSession })
  await call(yul, 'captions.generate', { json: { media_url: onePixel, ...ofSession } })
  const captions = [{ index: 0, caption: 'Look.' }]
  await call(yul, 'captions.rewriteBatch', { json: { ...ofSession, captions, instruction: 'x' } })
}

const feeds: Scene = async ({ adult, visitor }) => {
  const ana = await adult('ana')
  await call(visitor(), 'feeds.search', { json: { query: 'city' } })
  await call(ana, 'feeds.fetch', { json: { subfeeds: 'city' } })
  await ana.feeds.suggest({ query: { q: 'c' } })
}

const payments: Scene = async ({ as, visitor, gateway, telegram }) => {
  const ana = await as('ana')
  await ana.payments.packages()
  const buy = (json: object) => call(ana, 'payments.create', { json })
  const count = gateway.invoices.length
  const { body } = await buy({ tier: 'vip', method: 'crypto' })
  const { paymentId } = body as { paymentId: number }
  await buy({ tier: 'vip', method: 'telegram_stars' })
  await buy({ tier: 'vip', method: 'web3' })
  await buy({ packageId: 'none', method: 'crypto' })
  await buy({ packageId: 'starter', method: 'crypto' })
  await ana.payments.list()
  const params = { id: String(paymentId) }
  await call(ana, 'payments.read', { params })
  await call(ana, 'payments.read', { params: { id: nobodys } })
  const json = { txHash: `0x${'ab'.repeat(32)}` }
  await call(ana, 'payments.submitTransaction', { params, json })
  await call(ana, 'payments.submitTransaction', { params: { id: nobodys }, json })
  const invoice = gateway.invoices[count]
  if (!invoice) throw new Error('the gateway has no invoice')
  const notice = gateway.notice(invoice)
  const deliver = (signature: string) =>
    call(visitor(), 'payments.gatewayCallback', {
      body: notice.body,
      headers: { 'x-nowpayments-sig': signature },
    })
  await deliver(notice.signature)
  await deliver('wrong')
  const stars = telegram.invoices.at(-1)
  if (!stars) throw new Error('Telegram has no invoice')
  const tell = (secret: string) =>
    call(visitor(), 'payments.telegramWebhook', {
      json: telegram.successful(stars),
      headers: { 'x-telegram-bot-api-secret-token': secret },
    })
  await tell(telegram.webhookSecret)
  await tell('wrong')
}

const archives: Scene = async ({ adult }) => {
  const [ana, bo] = [await adult('ana'), await adult('bo')]
  await makeSession(ana)
  const exported = await ana.fetch('/api/library/export')
  const zip = new File([await exported.arrayBuffer()], 'a.zip', { type: 'application/zip' })
  const bring = (person: Person, file: File) =>
    ask(person, 'archives.importLibrary', { form: () => formOf('file', file) })
  const { body } = await bring(bo, zip)
  await bring(bo, zip)
  const { importId: id } = body as { importId: string }
  await until(
    () => bo.archives.readLibraryImport({ params: { id } }),
    ({ status }) => status !== 'running',
  )
  await call(ana, 'archives.readLibraryImport', { params: { id } })
  const many = Array.from({ length: 6 }, () => ana.fetch('/api/library/export'))
  await Promise.all(many)
  await Promise.all(Array.from({ length: 6 }, () => call(ana, 'accounts.exportAccount')))
  const broken = new File(['no zip'], 'a.zip', { type: 'application/zip' })
  await bring(bo, broken)
  await ask(bo, 'imports.importSession', { form: () => formOf('file', broken) })
  await call(ana, 'imports.importSession', { json: { title: 'x', urls: ['nothing'] } })
  await call(ana, 'imports.importSession', {
    json: { title: 'x', urls: ['https://a.example/1.png'] },
  })
}

const trash: Scene = async ({ adult }) => {
  const ana = await adult('ana')
  const id = await makeSession(ana)
  const items = [{ kind: 'session' as const, id }]
  await ana.trash.put({ body: { items } })
  await ana.trash.list()
  await ana.trash.restore({ body: { items } })
  await ana.trash.put({ body: { items } })
  await ana.trash.empty({ body: { items } })
}

const credits: Scene = async ({ as }) => {
  const ana = await as('ana')
  await ana.credits.balance()
  await ana.credits.account()
  await ana.credits.transactions()
  await ana.credits.stats()
  await ana.credits.spending()
  await ana.credits.pricing()
  await ana.credits.bonusStatus()
  await call(ana, 'credits.claimBonus')
  await call(ana, 'credits.claimBonus')
  await ana.storage.read()
  await ana.vault.list()
  await ana.sessions.list()
}

const enhancement: Scene = async ({ adult, as }) => {
  const ana = await adult('ana')
  const picture = await noise(40, 30, 'png', 5)
  const file = fileOf(picture, 'a.png', 'image/png')
  const enhance = (person: Person, quality = 'low', sent = file) =>
    ask(person, 'enhancement.generate', { form: () => formOf('image', sent, { quality }) })
  await enhance(ana)
  await ana.enhancement.giveConsent({ body: { version: 1 } })
  const { body } = await enhance(ana)
  await enhance(ana, 'splendid')
  await enhance(ana, 'low', fileOf(Buffer.from('no'), 'a.png', 'image/png'))
  const { generationId = 0 } = body as { generationId?: number }
  await ana.enhancement.status()
  await ana.enhancement.consentStatus()
  await ana.enhancement.recent()
  await ana.enhancement.clearStuck()
  await call(ana, 'enhancement.download', { params: { id: String(generationId) } })
  await call(ana, 'enhancement.saveResult', { json: { generationId } })
  await call(ana, 'enhancement.saveResult', { json: { generationId: Number(nobodys) } })
  const poor = await as('bo')
  await poor.enhancement.giveConsent({ body: { version: 1 } })
  for (let tries = 0; tries < 6; tries += 1)
    if ((await enhance(poor, 'high')).status === 402) return
}

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
    await call(root, 'credits.changePrice', { params, json: { creditsRequired: 4 } })
    await call(root, 'credits.disablePrice', { params })
  }
  const ana = await as('ana')
  const { id } = await ana.accounts.currentUser()
  await call(root, 'admin.changeUser', { params: { id }, json: { tier: 'vip' } })
  await call(root, 'admin.changeUser', { params: { id: 'nobody' }, json: { tier: 'vip' } })
  await call(root, 'credits.grant', { params: { id: 'nobody' }, json: { amount: 1, reason: 'x' } })
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
  ])
    await call(anyone, name)
  await call(visitor({ authorization: 'Bearer figures' }), 'operations.metrics')
  await call(anyone, 'accounts.finishSignIn', { query: '?state=1&state=2' })
}

/** Settings of the whole site; they would disturb the others. */
export const wholeSite: Scene = async ({ admin, visitor, as }: Stage) => {
  const [root, ana] = [await admin(), await as('ana')]
  try {
    await root.admin.changeSettings({ body: { registration: 'closed', credits: 'off' } })
    await call(visitor(), 'accounts.register', { json: { email: 'x@example.test', password } })
    await call(ana, 'credits.claimBonus')
    await call(ana, 'payments.create', { json: { packageId: 'starter', method: 'crypto' } })
    await root.admin.changeSettings({ body: { credits: 'on', dailyBonus: 0 } })
    await call(ana, 'credits.claimBonus')
  } finally {
    await root.admin.changeSettings({
      body: { registration: 'open', credits: 'on', dailyBonus: 25 },
    })
  }
}

/** Nothing more fits into an account, and nothing large through its door. */
export const fullQuota: Scene = async (stage) => {
  const { owner, things } = await makeThings(stage, 'qi')
  const file = fileOf(await noise(700, 700, 'png', 3), 'a.png', 'image/png')
  const archive = await owner.fetch('/api/library/export')
  const zip = new File([await archive.arrayBuffer()], 'a.zip', { type: 'application/zip' })
  const made = await ask(owner, 'enhancement.generate', things['enhancement.generate'] ?? {})
  const { generationId = 0 } = made.body as { generationId?: number }
  const root = await stage.admin()
  try {
    await root.admin.changeSettings({ body: { quotaMb: { free: 1 }, uploadLimitMb: 1 } })
    await ask(owner, 'vault.upload', { form: () => formOf('file', file) })
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
  } finally {
    await root.admin.changeSettings({ body: { quotaMb: { free: 1000 }, uploadLimitMb: 100 } })
  }
}

export const siteScenes = {
  community,
  shares,
  young,
  feeds,
  payments,
  archives,
  trash,
  credits,
  enhancement,
  administration,
  everyone,
  blocked,
} satisfies Record<string, Scene>
