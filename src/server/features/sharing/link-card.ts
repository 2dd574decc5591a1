/**
 * Makes and serves the card of a link, GET /shared/<code>/card.jpg: the picture that other sites show beside
 * the posted link. It is made at the first request and kept until its slides change.
 */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { takeToken } from '../../http/limits/guess-limit.ts'
import { problem } from '../../http/problem.ts'
import { visitorOf } from '../../http/visitor.ts'
import type { Lease } from '../../leases/lease.ts'
import { makeOnce } from '../../leases/make-once.ts'
import { drawCard } from '../../media/link-card.ts'
import { inspectPicture, UnfitPicture, withPictureBudget } from '../../media/picture.ts'
import { limitAddress } from '../../platform/client-ip.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import {
  claimFiles,
  ownFileAt,
  readPictureSource,
  recordOrigins,
  removeFiles,
  sendFile,
  SourceRefused,
  storeUnclaimed,
} from '../files/files.ts'
import { isBlockedPicture } from '../moderation/moderation.ts'
import type { CardPicture, CardSource } from './card-source.ts'
import { cardSourceOf } from './card-source.ts'
import { parseLinkPath, siteCardPath } from './link-addresses.ts'
import { findLink } from './link-preview.ts'
import { acquireCard, findCard, finishCard } from './queries.ts'

const cardMaxSourceBytes = 20 * 1_048_576
/** Sites that show links do not wait longer. */
const longestWaitMs = 10_000

export function mountCards(app: FastifyInstance, ctx: Context): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/shared/:code/card.jpg',
    async handler(request, reply) {
      const { code } = request.params as { code: string }
      const address = parseLinkPath(`/shared/${code}`)
      const link = address && (await findLink(ctx, address.code))
      if (link === null || link === 'closed') throw problem.notFound()
      const { session, media } = link.preview
      const source = cardSourceOf(media)
      if (source === null) throw problem.notFound()
      const { ip } = visitorOf(request, ctx.config.trustedProxies)
      const key = await cardOf({ ...ctx, log: request.log }, { session, source, ip })
      if (key === null) return reply.header('cache-control', 'no-store').redirect(siteCardPath, 302)
      const { storage } = ctx
      return sendFile(request, reply, { storage, bucket: 'user-media', key, keptFor: 'a-minute' })
    },
  })
}

type Wanted = {
  readonly session: { readonly id: number; readonly userId: string }
  readonly source: CardSource
  readonly ip: string
}

/** The key of the card's file, or null if none of the pictures can be shown. */
type Card = { readonly key: string | null }

/** Finds or makes the card. Returns the key of its file, or null if there is none. */
function cardOf(ctx: Context, { session, source, ip }: Wanted): Promise<string | null> {
  const wanted = { sessionId: session.id, source: source.id }
  // Concurrent requests on this node wait here, and on other nodes for the lease.
  return ctx.turns.inTurn(`card/${session.id}`, async () => {
    const known = await findCard(ctx, wanted)
    if (known) return known.key
    const rule = ctx.config.limits.public
    if (rule) await takeToken(ctx, { key: `card:ip:${limitAddress(ip)}`, rule })
    const made = await makeOnce(ctx, {
      find: () => findCard(ctx, wanted),
      acquire: () => acquireCard(ctx, wanted),
      make: (lease) => makeCard(ctx, lease, session.userId, source),
      longestWaitMs,
    })
    return made?.key ?? null
  })
}

/**
 * Stores the card in the row of the lease, or that none can be made. Returns undefined if another node has
 * taken over.
 */
async function makeCard(
  ctx: Context,
  lease: Lease,
  userId: string,
  { pictures }: CardSource,
): Promise<Card | undefined> {
  for (const picture of pictures) {
    const bytes = await drawFrom(ctx, picture)
    if (bytes) return storeCard(ctx, lease, { userId, bytes, picture })
  }
  const card = { key: null }
  return (await finishCard(ctx, lease, { ...card, of: null })) ? card : undefined
}

/** Returns null for a picture that cannot be read or must not be shown. */
async function drawFrom(ctx: Context, { address, focus }: CardPicture): Promise<Buffer | null> {
  try {
    const { bytes } = await readPictureSource(ctx, address, { maxBytes: cardMaxSourceBytes })
    return await withPictureBudget(async () => {
      const picture = await inspectPicture(bytes)
      return (await isBlockedPicture(ctx, picture)) ? null : drawCard(picture, focus)
    })
  } catch (error) {
    if (!(error instanceof SourceRefused || error instanceof UnfitPicture)) throw error
    ctx.log.info(
      { event: 'card_refused', err: error },
      'a picture cannot become the card of a link',
    )
    return null
  }
}

type Drawn = {
  readonly userId: string
  readonly bytes: Buffer
  readonly picture: CardPicture
}

async function storeCard(
  ctx: Context,
  lease: Lease,
  { userId, bytes, picture }: Drawn,
): Promise<Card | undefined> {
  const key = `users/${userId}/derived/cards/${ctx.newId()}.jpg`
  const file: FileAddress = { bucket: 'user-media', key }
  const of = ownFileAt(ctx, picture.mediaUrl)
  await storeUnclaimed(ctx, file, bytes)
  try {
    const isKept = await atomically(ctx, async (ctx) => {
      if (!(await finishCard(ctx, lease, { key, of }))) return false
      await claimFiles(ctx, [file])
      if (of) await recordOrigins(ctx, file, [of])
      return true
    })
    if (isKept) return { key }
    await removeFiles(ctx, [file])
    return undefined
  } catch (error) {
    await removeFiles(ctx, [file])
    throw error
  }
}
