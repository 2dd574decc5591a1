/** Deleting an account removes all of its data and leaves other people's data alone (contract 4.1). */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { seedDevAccounts } from '../../src/server/features/accounts/dev-accounts.ts'
import { sweepUnclaimedFiles } from '../../src/server/features/files/unclaimed-files.ts'
import { StorageUnreachable } from '../../src/server/platform/storage/storage.ts'
import { tracesOf } from '../support/account-traces.ts'
import { emailOf, withRole } from '../support/admin-world.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld } from '../support/community-world.ts'
import { useWorld } from '../support/use-world.ts'
import { pngFile, upload, userIdOf } from '../support/vault-world.ts'
import type { Person } from '../support/world.ts'
import { password, refused } from '../support/world.ts'

let world: CommunityWorld
let ana: Person
let bo: Person
let anaId: string

useWorld(createCommunityWorld, async (fresh) => {
  world = fresh
  ana = await world.adult('ana')
  bo = await world.adult('bo')
  anaId = await userIdOf(ana)
})

const deleteAna = () => ana.accounts.deleteAccount({ body: { confirm: emailOf('ana') } })

test('the preview counts what the deletion removes, and nothing of other accounts', async () => {
  const media = await upload(ana)
  const { sessionId } = await world.makePublished(ana)
  await ana.sharing.shareSession({ params: { id: sessionId }, body: {} })
  await ana.vault.share({
    params: { id: media.id },
    body: { tags: ['nature'], policyAgreed: true, nsfw: true },
  })
  await world.runJobs()
  const { size } = (await ana.vault.list()).files[0] ?? { size: 0 }
  const { balance } = await ana.credits.balance()
  expect(await ana.accounts.holdings()).toEqual({
    sessions: 1,
    files: 1,
    fileBytes: size,
    published: 2,
    links: 2,
    credits: balance,
  })
  const { sessions, files, published, links } = await bo.accounts.holdings()
  expect({ sessions, files, published, links }).toEqual({
    sessions: 0,
    files: 0,
    published: 0,
    links: 0,
  })
})

describe('a deletion', () => {
  test('needs the account’s e-mail, and changes nothing without it', async () => {
    const { id } = await upload(ana)
    for (const confirm of ['', 'ana', emailOf('bo'), `${emailOf('ana')}x`]) {
      const wrong = await refused(ana.accounts.deleteAccount({ body: { confirm } }))
      expect([wrong.status, wrong.message]).toEqual([400, 'Confirm with the e-mail of the account'])
    }
    expect((await refused(ana.accounts.deleteAccount({ body: {} as never }))).status).toBe(400)
    expect((await ana.vault.list()).files.map((file) => String(file.id))).toEqual([id])
    expect((await ana.accounts.currentUser()).id).toBe(anaId)
    await ana.accounts.deleteAccount({ body: { confirm: ' ANA@example.test ' } })
    expect((await refused(ana.accounts.currentUser())).status).toBe(401)
  })

  test('leaves no row, no file and no sign-in of the person', async () => {
    const elsewhere = world.visitor()
    await elsewhere.accounts.signIn({ body: { email: emailOf('ana'), password } })
    const media = await upload(ana)
    await ana.vault.upload({ form: { file: pngFile('me.png'), source: 'profile' } })
    const { sessionId, id } = await world.makePublished(ana)
    const { shareCode } = await ana.sharing.shareSession({ params: { id: sessionId }, body: {} })
    await ana.vault.share({
      params: { id: media.id },
      body: { tags: ['nature'], policyAgreed: true, nsfw: true },
    })
    await ana.enhancement.giveConsent({ body: { version: 1 } })
    await ana.credits.claimBonus()
    await world.runJobs()
    expect(await world.filesIn('general')).not.toEqual([])
    const { fileUrl } = media

    expect(await deleteAna()).toEqual({ message: 'Account deleted' })

    expect(ana.jar.header()).toBe('')
    for (const person of [ana, elsewhere])
      expect((await refused(person.accounts.currentUser())).status).toBe(401)
    const again = elsewhere.accounts.signIn({ body: { email: emailOf('ana'), password } })
    expect((await refused(again)).message).toBe('Invalid credentials')
    expect(await world.filesIn('general')).toEqual([])
    expect(await world.filesIn('user-media', `users/${anaId}/`)).toEqual([])
    expect(await tracesOf(world, anaId)).toEqual([])
    expect((await world.visitor().fetch(fileUrl)).status).toBe(404)
    const shared = bo.sharing.open({ params: { code: shareCode } })
    expect((await refused(shared)).status).toBe(404)
    expect((await refused(bo.community.open({ params: { id } }))).status).toBe(404)
    expect((await bo.community.browse()).items).toEqual([])
    const { rows: waiting } = await sql`select from pgboss.job
      where name = 'remove-left-files' and state = 'created'`.execute(world.ctx.db)
    expect(waiting).toHaveLength(1)
    world.clock.advance(11 * 60 * 1000)
    await world.runJobs()
    expect(await world.filesIn('user-media', `users/${anaId}/`)).toEqual([])
    for (const word of [anaId, emailOf('ana'), 'me.png'])
      expect(await tracesOf(world, word)).toEqual([])
    const { rows: left } = await sql`select from pgboss.job
      where name = 'remove-left-files' and data is not null`.execute(world.ctx.db)
    expect(left).toEqual([])
  })

  test('deletes the payload of dead jobs for files of the account', async () => {
    const said = JSON.stringify({ message: `nothing at users/${anaId}/General/me.png` })
    await sql`insert into pgboss.job (name, data, state, output)
      values ('enrich-media', '{"mediaId": 1}', 'failed', ${said}::jsonb)`.execute(world.ctx.db)
    await deleteAna()
    expect(await tracesOf(world, anaId)).toEqual([])
  })

  test.each([
    ['decided before', true],
    ['decided later', false],
  ])('removes the names of the reporters and owners from reports: %s', async (_, isFirst) => {
    const media = await upload(ana)
    const share = await ana.vault.share({
      params: { id: media.id },
      body: { shareToCommunity: false },
    })
    const { reportId } = await world.visitor().moderation.report({
      body: {
        targetType: 'shared_media',
        shareCode: share.shareCode,
        reason: 'copyright',
        details: 'Mine',
      },
    })
    const admin = await withRole(world, 'ada', 'admin')
    const decide = () =>
      admin.moderation.resolveReport({
        params: { id: String(reportId) },
        body: { action: 'remove', note: 'Theirs' },
      })
    if (isFirst) await decide()
    await deleteAna()
    if (!isFirst) await decide()
    expect(await tracesOf(world, anaId)).toEqual([])
    const { items } = await admin.moderation.listReports({ query: { status: 'decided' } })
    expect(items).toMatchObject([
      { action: 'remove', evidence: { title: '', ownerId: '', urls: [] } },
    ])
  })

  test('keeps the copies that other accounts saved', async () => {
    const { id } = await world.makePublished(ana)
    const { sessionId } = await bo.community.save({ params: { id } })
    await deleteAna()
    await world.runJobs()
    const { session, media } = await bo.sessions.read({ params: { id: String(sessionId) } })
    expect(session).toMatchObject({ importSource: 'community', importUrl: `community:${id}` })
    expect(media.length).toBeGreaterThan(0)
    for (const { mediaUrl } of media)
      expect((await world.visitor().fetch(mediaUrl ?? '')).status).toBe(200)
  })

  test('keeps the ledger, without the name of the account', async () => {
    await ana.sessions.create({ body: { title: 'My secret title', subfeeds: 'city' } })
    const before = await sql<{ sum: number; count: number }>`
      select sum(amount), count(*) from credit_transactions`.execute(world.ctx.db)
    await deleteAna()
    const after = await sql<{ sum: number; count: number }>`
      select sum(amount), count(*) from credit_transactions`.execute(world.ctx.db)
    expect(after.rows).toEqual(before.rows)
    const kept = await world.ctx.db
      .selectFrom('credit_transactions')
      .select(['user_id', 'description', 'metadata', 'feature_key'])
      .where('user_id', 'is', null)
      .execute()
    expect(kept.length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify(kept)).not.toContain('secret title')
    for (const { description, metadata } of kept)
      expect([description, metadata]).toEqual(['Deleted account', null])
    expect(kept.map(({ feature_key }) => feature_key)).toContain('session_create')
  })

  test('of an administrator keeps the log of their actions without their name', async () => {
    const admin = await withRole(world, 'ada', 'admin')
    const adminId = await userIdOf(admin)
    const grant = { params: { id: anaId }, body: { amount: 5, reason: 'Sorry' } }
    await admin.credits.grant(grant)
    await admin.accounts.deleteAccount({ body: { confirm: emailOf('ada') } })
    expect(await tracesOf(world, adminId)).toEqual([])
    const changes = await world.ctx.db
      .selectFrom('activity_log')
      .select(['user_id', 'target_user_id', 'ip_address', 'user_agent', 'details'])
      .where('action', '=', 'admin_changed')
      .where('user_id', 'is', null)
      .execute()
    expect(changes).toEqual([
      {
        user_id: null,
        target_user_id: anaId,
        ip_address: null,
        user_agent: null,
        details: { grant: grant.body },
      },
    ])
    const [newest] = (await ana.credits.transactions()).transactions
    expect(newest).toMatchObject({ description: 'Sorry', metadata: null })
  })

  test('deletes the referral, and keeps the credits of both sides', async () => {
    const { referralCode } = await ana.accounts.currentUser()
    const cy = world.visitor({ cookie: `pending_referral=${referralCode}` })
    await cy.accounts.register({ body: { email: emailOf('cy'), password } })
    const login = { body: { email: emailOf('cy'), password } }
    const signedIn = world.visitor()
    await signedIn.accounts.signIn(login)
    const before = (await signedIn.credits.balance()).balance
    expect((await signedIn.accounts.currentUser()).referredBy).toBe(anaId)
    await deleteAna()
    expect((await signedIn.accounts.currentUser()).referredBy).toBeNull()
    expect((await signedIn.credits.balance()).balance).toBe(before)
  })

  test('the last super_admin cannot delete their account; with another super_admin they can', async () => {
    const root = await withRole(world, 'rut', 'super_admin')
    const leave = () => root.accounts.deleteAccount({ body: { confirm: emailOf('rut') } })
    expect((await refused(leave())).message).toBe('The last super_admin cannot be lost')
    expect((await root.accounts.currentUser()).role).toBe('super_admin')
    await withRole(world, 'sam', 'super_admin')
    await leave()
    expect((await refused(root.accounts.currentUser())).status).toBe(401)
  })

  test('a development account can be deleted, and exists again after the next start', async () => {
    const dev = world.visitor()
    await dev.accounts.devSignIn()
    const { email, id } = await dev.accounts.currentUser()
    await upload(dev)
    await dev.accounts.deleteAccount({ body: { confirm: email } })
    expect(await world.filesIn('user-media', `users/${id}/`)).toEqual([])
    expect((await world.visitor().fetch('/api/dev-login')).status).toBe(404)
    const begun = await world.visitor().fetch('/api/login')
    expect(begun.headers.get('location')).toBe('/login')
    const login = { body: { email, password: 'dev-password-1' } }
    expect((await refused(world.visitor().accounts.signIn(login))).status).toBe(401)
    expect(await seedDevAccounts(world.ctx)).toEqual([id])
    await dev.accounts.devSignIn()
    expect((await dev.vault.list()).files).toEqual([])
    // The pending removals of the old account's files do not touch the new account.
    const kept = await upload(dev)
    world.clock.advance(11 * 60 * 1000)
    await world.runJobs()
    expect((await world.visitor().fetch(kept.fileUrl)).status).toBe(200)
  })

  test('of a development account keeps the jobs of the account created after it', async () => {
    const dev = world.visitor()
    await dev.accounts.devSignIn()
    const { email, id } = await dev.accounts.currentUser()
    await dev.accounts.deleteAccount({ body: { confirm: email } })
    await seedDevAccounts(world.ctx)
    await sql`insert into pgboss.job (name, data, group_id, start_after)
      values ('enrich-media', '{"mediaId": 1}', ${id}, now() + interval '1 day')`.execute(
      world.ctx.db,
    )
    world.clock.advance(11 * 60 * 1000)
    await world.runJobs()
    const { rows } = await sql`select name, state, data is null as "isEmpty" from pgboss.job
      where name in ('enrich-media', 'remove-left-files') order by name`.execute(world.ctx.db)
    expect(rows).toEqual([
      { name: 'enrich-media', state: 'created', isEmpty: false },
      { name: 'remove-left-files', state: 'completed', isEmpty: true },
    ])
  })

  test('cannot be requested for another account', async () => {
    const boId = await userIdOf(bo)
    await refused(ana.accounts.deleteAccount({ body: { confirm: emailOf('bo') } }))
    await deleteAna()
    expect((await bo.accounts.currentUser()).id).toBe(boId)
  })
})

describe('failures during a deletion', () => {
  test('if the storage cannot be listed, nothing is deleted', async () => {
    const { id } = await upload(ana)
    const restore = breakStorage('list')
    const failed = await refused(deleteAna())
    restore()
    expect([failed.status, failed.body]).toMatchObject([503, { code: 'STORAGE_UNREACHABLE' }])
    expect((await ana.vault.list()).files.map((file) => String(file.id))).toEqual([id])
    await deleteAna()
    expect(await world.filesIn('user-media')).toEqual([])
  })

  test('files that remain after the commit cannot be read, and the sweep deletes them', async () => {
    const { fileUrl, filePath } = await upload(ana)
    const restore = breakStorage('remove')
    await deleteAna()
    restore()
    expect(await world.filesIn('user-media')).toEqual([filePath])
    for (const method of ['GET', 'HEAD'])
      expect((await world.visitor().fetch(fileUrl, { method })).status).toBe(404)
    const asSource = { babeImageUrl: fileUrl, cockImageUrl: fileUrl }
    expect((await refused(bo.images.compose({ body: asSource }))).status).toBe(400)
    await sweepUnclaimedFiles(world.ctx)
    expect(await world.filesIn('user-media')).toEqual([])
    expect(await tracesOf(world, anaId)).toEqual([])
  })

  test('pending jobs of the deleted account end without an effect', async () => {
    const [filling, publishing] = [await world.make(ana), await world.makeFilled(ana)]
    await ana.sessions.update({ params: { id: publishing }, body: { shareToCommunity: true } })
    await upload(ana)
    expect(filling.fillStatus).toBe('pending')
    await deleteAna()
    world.clock.advance(11 * 60 * 1000)
    await world.runJobs()
    expect(await world.filesIn('general')).toEqual([])
    expect(await world.filesIn('user-media')).toEqual([])
    expect(await tracesOf(world, anaId)).toEqual([])
    const { rows } = await sql`select from pgboss.job where state = 'failed'`.execute(world.ctx.db)
    expect(rows).toEqual([])
  })
})

/** Makes a storage method fail until the returned function restores it. */
function breakStorage(method: 'list' | 'remove'): () => void {
  const { storage } = world.ctx
  const whole = storage[method]
  const broken = () => {
    throw new StorageUnreachable('the test took the disk away')
  }
  Object.assign(storage, { [method]: broken })
  return () => void Object.assign(storage, { [method]: whole })
}
