/** One of every private thing that a person can have, and the call that requests each. */
import { startSignIn } from '../../src/server/features/accounts/sign-ins.ts'
import { insertCommunitySession } from './community-rows.ts'
import { dataUri, plain, red } from './pictures.ts'
import type { SessionWorld } from './session-world.ts'
import { upload } from './vault-world.ts'
import type { Person } from './world.ts'

export type Call = {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: object
}

export type Things = Readonly<Record<string, Call>>

/** Returns calls that name a private thing of the owner, by endpoint: others must get nothing from them. */
export async function privateThings(world: SessionWorld, owner: Person): Promise<Things> {
  const { ctx } = world
  const { id: userId } = await owner.accounts.currentUser()
  const now = ctx.now()
  const sessionId = await world.makeFilled(owner, { captionTheme: 'custom' })
  const { media } = await owner.sessions.read({ params: { id: sessionId } })
  const slides = media.map(({ id, mediaUrl }) => ({ id, mediaUrl }))
  const { playId } = await owner.sessions.play({ params: { id: sessionId } })
  const [kept, other] = [await upload(owner), await upload(owner)]
  const picture = dataUri(await plain(300, 300, red))
  const { imageUrl } = await owner.images.compose({
    body: { babeImageUrl: picture, cockImageUrl: picture },
  })
  const resultPath = `users/${userId}/enhance/result/1.png`
  await ctx.storage.put('user-media', resultPath, Buffer.from('a result'))
  const generation = await ctx.db
    .insertInto('enhancement_generations')
    .values({
      user_id: userId,
      status: 'completed',
      quality: 'low',
      requested_provider: 'provider_a',
      actual_provider: 'provider_a',
      result_path: resultPath,
      result_width: 10,
      result_height: 10,
      lease_until: now,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const job = { id: ctx.newId() }
  await ctx.db
    .insertInto('caption_jobs')
    .values({
      id: job.id,
      user_id: userId,
      session_id: Number(sessionId),
      status: 'completed',
      credits_each: 8,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await ctx.db
    .insertInto('caption_job_slides')
    .values({ job_id: job.id, media_id: media[0]?.id ?? 0, position: 0, state: 'done' })
    .execute()
  const payment = await ctx.db
    .insertInto('payments')
    .values({
      user_id: userId,
      reference: ctx.newId(),
      method: 'web3',
      package_id: 'starter',
      credits: 250,
      price_cents: 1499,
      expires_at: now,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const brought = { id: ctx.newId() }
  await ctx.db
    .insertInto('library_imports')
    .values({
      id: brought.id,
      user_id: userId,
      status: 'done',
      archive_key: `users/${userId}/imports/gone.zip`,
      total: 0,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await startSignIn(ctx, userId, {})
  const signIns = await owner.security.listSignIns()
  const signIn = { id: signIns.find(({ isCurrent }) => !isCurrent)?.id ?? '' }
  const key = await owner.keys.create({ body: { name: 'Private', scopes: ['rooms'] } })
  const passkey = { params: { id: ctx.newId() } }
  await ctx.db
    .insertInto('passkeys')
    .values({
      id: passkey.params.id,
      user_id: userId,
      name: 'Private',
      credential_id: 'private',
      public_key: Buffer.of(1),
      counter: 0,
      transports: [],
      created_at: now,
    })
    .execute()
  const connection = { params: { id: ctx.newId() } }
  await ctx.db
    .insertInto('connections')
    .values({
      id: connection.params.id,
      user_id: userId,
      kind: 'immich',
      name: 'Private',
      sealed_key: Buffer.of(1),
      created_at: now,
      last_used_at: null,
    })
    .execute()
  const { frame } = await owner.frames.create({
    body: { name: 'Hall', sessionIds: [Number(sessionId)] },
  })
  const session = { params: { id: sessionId } }
  const { room } = await owner.rooms.open({ body: { sessionId: Number(sessionId) } })
  const { code } = room
  const remote = await owner.rooms.addRemote({ params: { code } })
  const ofSession = { sessionId: Number(sessionId) }
  const file = { params: { id: kept.id } }
  const captions = [{ index: 0, caption: 'Look at the bay.' }]
  return {
    'archives.exportSession': session,
    'archives.readLibraryImport': { params: brought },
    'captions.generate': { body: { media_url: picture, ...ofSession } },
    'captions.rewriteBatch': { body: { ...ofSession, captions, instruction: 'Softer' } },
    'captions.prewarm': { body: ofSession },
    'captions.captionSession': { body: ofSession },
    'captions.readJob': { params: job },
    'connections.remove': connection,
    'enhancement.download': { params: { id: String(generation.id) } },
    'enhancement.saveResult': { body: { generationId: generation.id } },
    'frames.create': { body: { name: 'Taken', sessionIds: [Number(sessionId)] } },
    'frames.update': { params: { id: String(frame.id) }, body: { name: 'Taken' } },
    'frames.renew': { params: { id: String(frame.id) } },
    'frames.remove': { params: { id: String(frame.id) } },
    'images.remix': { body: { imageUrl, swap: true } },
    'images.save': { body: { imageUrl } },
    'keys.remove': { params: { id: key.id } },
    'passkeys.rename': { ...passkey, body: { name: 'Taken' } },
    'passkeys.remove': passkey,
    'payments.read': { params: { id: String(payment.id) } },
    'payments.submitTransaction': {
      params: { id: String(payment.id) },
      body: { txHash: `0x${'ab'.repeat(32)}` },
    },
    'rooms.command': { params: { code }, body: { command: 'pause' } },
    'rooms.addRemote': { params: { code } },
    'rooms.listRemotes': { params: { code } },
    'rooms.removeRemote': { params: { code, id: String(remote.id) } },
    'security.endSignIn': { params: signIn },
    'sessions.createManual': { body: { title: 'Taken', slides: [{ mediaId: Number(kept.id) }] } },
    'sessions.read': session,
    'sessions.update': { ...session, body: { title: 'Taken' } },
    'sessions.replaceMedia': { ...session, body: { slides } },
    'sessions.updateMedia': {
      params: { id: sessionId, mediaId: String(media[0]?.id) },
      body: { caption: 'Taken' },
    },
    'sessions.duplicate': session,
    'sessions.refill': session,
    'sessions.events': session,
    'sessions.play': session,
    'sessions.view': {
      params: { playId: String(playId) },
      body: { mediaIds: media.map(({ id }) => id) },
    },
    'sharing.shareSession': { ...session, body: {} },
    'sharing.readShare': session,
    'vault.read': file,
    'vault.mark': { ...file, body: { isFavorite: true } },
    'vault.share': { ...file, body: { shareToCommunity: false } },
    'vault.unshare': file,
    'vault.shareByPath': { body: { filePath: kept.filePath, shareToCommunity: false } },
    'vault.remove': file,
    'vault.removeByPath': { params: { '*': other.filePath.replace(`users/${userId}/`, '') } },
    'sessions.remove': session,
  }
}

/** Returns calls that name content that the owner has shared. */
export async function sharedThings(world: SessionWorld, owner: Person): Promise<Things> {
  const { id: ownerId } = await owner.accounts.currentUser()
  const sessionId = await world.makeFilled(owner)
  const file = await upload(owner)
  const { shareCode } = await owner.sharing.shareSession({
    params: { id: sessionId },
    body: { download: true },
  })
  const media = await owner.vault.share({
    params: { id: file.id },
    body: { shareToCommunity: false },
  })
  const { room } = await owner.rooms.open({ body: { sessionId: Number(sessionId) } })
  const published = { params: { id: await insertCommunitySession(world.ctx, ownerId) } }
  const { frameUrl } = await owner.frames.create({
    body: { name: 'Hall', sessionIds: [Number(sessionId)] },
  })
  return {
    'community.open': published,
    'community.save': published,
    'rooms.read': { params: { code: room.code } },
    'rooms.events': { params: { code: room.code } },
    'rooms.react': { params: { code: room.code }, body: { emoji: '👏' } },
    'frames.playlist': { params: { token: frameUrl.slice(-43) } },
    'archives.exportShared': { params: { code: shareCode } },
    'sharing.open': { params: { code: shareCode } },
    'sharing.preview': { params: { code: shareCode } },
    'vault.openShared': { params: { code: media.shareCode } },
  }
}
