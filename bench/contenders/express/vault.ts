/** The endpoint of the vault benchmark: rows, counts, and objects built in JavaScript. */
import { createHmac } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { RequestHandler, Router } from 'express'
import express from 'express'
import { requireUser } from './sign-in.ts'
import { mediaShares, vaultCounts, vaultMedia } from './vault-tables.ts'

const urlKey = createHmac('sha256', process.env['SESSION_SECRET'] ?? '')
  .update('lanternist/media-url/1')
  .digest()

export function vaultRouter(db: NodePgDatabase): Router {
  const router = express.Router()
  router.get('/api/user/media', requireUser(db), listMedia(db))
  return router
}

function listMedia(db: NodePgDatabase): RequestHandler {
  return async (request, response) => {
    const { id: userId } = response.locals.user
    const limit = Number(request.query['limit'] ?? 0)
    const query = db
      .select()
      .from(vaultMedia)
      .leftJoin(mediaShares, eq(mediaShares.mediaId, vaultMedia.id))
      .where(eq(vaultMedia.userId, userId))
      .orderBy(desc(vaultMedia.createdAt), desc(vaultMedia.id))
    const rows = await (limit ? query.limit(limit + 1) : query)
    const counts = await db.select().from(vaultCounts).where(eq(vaultCounts.userId, userId))
    const countOf = (name: string) => counts.find(({ category }) => category === name)?.files ?? 0
    const page = limit ? rows.slice(0, limit) : rows
    const last = rows.length > page.length ? page.at(-1) : undefined
    response.json({
      files: page.map(({ vault_media: media, media_shares: share }) => presentFile(media, share)),
      totalCount: counts.reduce((sum, { files }) => sum + files, 0),
      categories: Object.fromEntries(
        ['smart-caption', 'babecock', 'hypnococks', 'upload'].map((name) => [name, countOf(name)]),
      ),
      nextCursor: last ? cursorOf(last.vault_media) : null,
    })
  }
}

type Media = typeof vaultMedia.$inferSelect
type Share = typeof mediaShares.$inferSelect

/** Returns a file as in the list. */
export function presentFile(media: Media, share: Share | null) {
  return {
    id: media.id,
    name: media.name,
    originalName: media.originalName,
    category: media.category,
    size: media.fileSize,
    lastModified: media.createdAt,
    created_at: media.createdAt,
    url: urlOf(media.filePath),
    path: media.filePath,
    subfeed: media.subfeed,
    width: media.width,
    height: media.height,
    isShared: share !== null,
    shareCode: share?.code ?? null,
    characterName: media.characterName,
    enrichmentStatus: media.enrichmentStatus,
    enrichedAt: media.enrichedAt,
    type: typeOf(media.mimeType),
    shareToCommunity: media.shareToCommunity,
    durationMs: media.durationMs,
    tags: media.tags,
    isFavorite: media.isFavorite,
    thumbnails: media.thumbnailWidths.map((width) => ({
      width,
      url: urlOf(`users/${media.userId}/derived/${media.id}/${width}.webp`),
    })),
  }
}

function typeOf(mimeType: string): string {
  if (mimeType === 'image/gif') return 'gif'
  return mimeType.startsWith('video/') ? 'video' : 'image'
}

function urlOf(key: string): string {
  const digest = createHmac('sha256', urlKey).update(`user-media/${key}`).digest()
  return `/media/user-media/${key}?s=${digest.subarray(0, 18).toString('base64url')}`
}

/** Returns the cursor. Dates have milliseconds here, but our cursor has microseconds. */
function cursorOf({ createdAt, id }: Media): string {
  const time = createdAt.toISOString().replace('Z', '000Z')
  return Buffer.from(JSON.stringify([time, id])).toString('base64url')
}
