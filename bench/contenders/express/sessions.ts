/** The endpoints of the sessions benchmark, with rows mapped to the names of the contract. */
import { asc, desc, eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { RequestHandler, Router } from 'express'
import express from 'express'
import { coverUrl } from '../../../src/server/features/sessions/covers.ts'
import { requireUser } from './sign-in.ts'
import type { Transaction } from './spending.ts'
import { spend } from './spending.ts'
import {
  categories,
  jobs,
  mediaRenditions,
  sessionEvents,
  sessionImports,
  sessionMedia,
  sessions,
} from './tables.ts'

const featureKey = 'session_create'

export function sessionRouter(db: NodePgDatabase): Router {
  const router = express.Router()
  router.get('/api/sessions', requireUser(db), listSessions(db))
  router.get('/api/sessions/:id', requireUser(db), readSession(db))
  router.post('/api/sessions', requireUser(db), createSession(db))
  return router
}

function listSessions(db: NodePgDatabase): RequestHandler {
  return async (_request, response) => {
    const rows = await db
      .select()
      .from(sessions)
      .where(eq(sessions.userId, response.locals.user.id))
      .orderBy(desc(sessions.id))
    response.json(rows.map(presentSession))
  }
}

function readSession(db: NodePgDatabase): RequestHandler {
  return async (request, response) => {
    const { user } = response.locals
    const id = Number(request.params['id'])
    const [session] = await db.select().from(sessions).where(eq(sessions.id, id))
    if (!session) {
      response.status(404).json({ message: 'Session not found' })
      return
    }
    const isOwn = session.userId === user.id
    if (!isOwn && !session.isPublic) {
      response.status(403).json({ message: 'You do not have access to this session' })
      return
    }
    const media = await db
      .select()
      .from(sessionMedia)
      .leftJoin(mediaRenditions, eq(mediaRenditions.key, sessionMedia.ownFileKey))
      .where(eq(sessionMedia.sessionId, id))
      .orderBy(asc(sessionMedia.order))
    const visible = media.map(presentSlide).filter(({ nsfw }) => isOwn || user.ageVerified || !nsfw)
    const imports = await db
      .select()
      .from(sessionImports)
      .where(eq(sessionImports.sessionId, session.id))
    response.json({
      session: presentSession(session),
      media: visible,
      skipped: isOwn ? session.skippedMedia : [],
      isCopying: imports.length > 0,
    })
  }
}

function createSession(db: NodePgDatabase): RequestHandler {
  return async (request, response) => {
    const made = await db.transaction((transaction) =>
      create(transaction, response.locals.user.id, request.body),
    )
    if (made) response.status(201).json(presentSession(made))
    else response.status(402).json({ error: 'Insufficient credits' })
  }
}

type NewSession = {
  title: string
  subfeeds: string
  intervalMin?: number
  intervalMax?: number
  transition?: string
}

async function create(transaction: Transaction, userId: string, body: NewSession) {
  const description = `Session “${body.title}”`
  const spent = await spend(transaction, userId, { featureKey, description })
  if (!spent) return null
  const [category] = await transaction
    .select()
    .from(categories)
    .where(eq(categories.isDefault, true))
  const subfeeds = body.subfeeds.split(',')
  const now = new Date()
  const [made] = await transaction
    .insert(sessions)
    .values({
      userId,
      title: body.title,
      subfeeds,
      categoryId: category?.id ?? 0,
      categorySource: 'default',
      intervalMin: body.intervalMin ?? 3,
      intervalMax: body.intervalMax ?? 10,
      transition: body.transition ?? 'fade',
      thumbnail: coverUrl(subfeeds),
      fillStatus: 'pending',
      fillNumber: 1,
      fillDebitId: spent.debitId,
      eventSeq: 1,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  if (!made) return null
  const data = { status: 'pending', done: 0, total: 25 }
  await transaction
    .insert(sessionEvents)
    .values({ sessionId: made.id, seq: 1, type: 'fill', data, createdAt: now })
  await transaction.insert(jobs).values({
    name: 'fill-session',
    payload: { sessionId: made.id, fillNumber: 1 },
    createdAt: now,
  })
  return made
}

function presentSession(row: typeof sessions.$inferSelect) {
  const { nsfwGiven, nsfwMedia, fillNumber: _n, fillDebitId: _d, eventSeq: _e, ...visible } = row
  const {
    skippedMedia: _s,
    linksCheckedAt: checkedAt,
    brokenCount,
    replacedCount,
    refreshDueAt,
    ...rest
  } = visible
  const hasAdultTheme = row.captionTheme !== null && row.captionTheme !== 'custom'
  const linkHealth = checkedAt && { checkedAt, brokenCount, replacedCount }
  const nsfw = nsfwGiven || nsfwMedia || hasAdultTheme
  return { ...rest, linkHealth, nsfw, refreshDaily: refreshDueAt !== null }
}

function presentSlide(row: {
  session_media: typeof sessionMedia.$inferSelect
  media_renditions: typeof mediaRenditions.$inferSelect | null
}) {
  const { authorFocus, ownFileKey: _o, ...slide } = row.session_media
  const { lengthMs = null, sizes = null, focus = null } = row.media_renditions ?? {}
  return { ...slide, lengthMs, sizes, focus: authorFocus ?? focus }
}
