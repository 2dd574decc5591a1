/** What can be done with a session as a whole, and the front door for other features. */
import type { api } from '../../../contract/api.ts'
import { atomically } from '../../atomically.ts'
import type { Context } from '../../context.ts'
import { JsonText } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { problem } from '../../problem.ts'
import type { SignedInUser } from '../accounts/sign-ins.ts'
import { chooseCategory, refuseUnknownTags } from '../classification/classification.ts'
import { spendAnd } from '../credits/spending.ts'
import { lockOwn, requireOwn, requireReadable, seesNsfw } from './access.ts'
import { coverUrl } from './covers.ts'
import { promiseFill } from './refill.ts'
import type { NewSession } from './queries.ts'
import {
  deleteSession,
  findSession,
  insertSession,
  listSessionsJson,
  readSessionJson,
  updateSession,
} from './queries.ts'
import { changeOf, refuseForImported } from './session-change.ts'
import { findPreviewSlides } from './slide-queries.ts'

const previewSlides = 3

export async function listSessions(ctx: Context, { user, query }: Call<typeof api.sessions.list>) {
  return new JsonText(await listSessionsJson(ctx, user.id, query))
}

export function createSession(
  ctx: Context,
  { user, body, settle }: Call<typeof api.sessions.create>,
) {
  return settle(async (ctx) => {
    const session = await prepareSession(ctx, user.id, body)
    const charge = { featureKey: 'session_create', description: `Session “${body.title}”` }
    return spendAnd(ctx, user.id, charge, async (ctx, { debitId }) => {
      const made = await insertSession(ctx, {
        ...session,
        subfeeds: body.subfeeds,
        thumbnail: body.thumbnail ?? coverUrl(body.subfeeds),
        fillStatus: 'pending',
        fillDebitId: debitId,
      })
      await promiseFill(ctx, made.id)
      return made
    })
  })
}

type Settings = Omit<Call<typeof api.sessions.create>['body'], 'subfeeds'>

/** The row of a new session, with its category and tags checked and its intervals in order. */
export async function prepareSession(
  ctx: Context,
  userId: string,
  settings: Settings,
): Promise<NewSession> {
  await refuseUnknownTags(ctx, 'tags', settings.tags)
  const category = await chooseCategory(ctx, settings.categoryId ?? null)
  return {
    userId,
    title: settings.title,
    subfeeds: [],
    ...category,
    ...intervalsOf(settings),
    transition: settings.transition,
    thumbnail: settings.thumbnail ?? null,
    thumbnailGiven: Boolean(settings.thumbnail),
    aiPrompt: settings.aiPrompt ?? null,
    captionTheme: settings.captionTheme ?? null,
    isPublic: settings.isPublic,
    isFavorite: settings.isFavorite,
    isManualMode: settings.isManualMode,
    tags: [...new Set(settings.tags)],
    nsfw: settings.nsfw,
    fillStatus: 'ready',
    fillDebitId: null,
  }
}

export async function readSession(ctx: Context, call: Call<typeof api.sessions.read>) {
  const session = await requireReadable(ctx, call, call.params.id)
  const withNsfw = seesNsfw(call.user, session)
  const text = await readSessionJson(ctx, session.id, { withNsfw })
  if (text === null) throw problem.sessionNotFound()
  return new JsonText(text)
}

export function changeSession(
  ctx: Context,
  { user, params, body }: Call<typeof api.sessions.update>,
) {
  return atomically(ctx, async (ctx) => {
    const session = await lockOwn(ctx, user.id, params.id)
    refuseForImported(session, body)
    if (body.tags) await refuseUnknownTags(ctx, 'tags', body.tags)
    const category =
      body.categoryId === undefined ? null : await chooseCategory(ctx, body.categoryId)
    const changed = await updateSession(ctx, session.id, changeOf(session, body, category))
    const refills = body.subfeeds && String(body.subfeeds) !== String(session.subfeeds)
    if (refills) await promiseFill(ctx, session.id)
    return (refills ? await findSession(ctx, session.id) : changed) ?? session
  })
}

export async function removeSession(
  ctx: Context,
  { user, params }: Call<typeof api.sessions.remove>,
) {
  const session = await requireOwn(ctx, user.id, params.id)
  await deleteSession(ctx, session.id)
  return { message: 'Session deleted successfully' }
}

/** Makes the link, and the session public where the link asks for nothing. */
export async function publishByLink<
  S extends { expiresAt: Date | null; passwordHash: string | null },
>(ctx: Context, userId: string, id: number, makeLink: () => Promise<S>): Promise<S> {
  const session = await lockOwn(ctx, userId, id)
  const share = await makeLink()
  const isOpen = share.expiresAt === null && share.passwordHash === null
  if (isOpen && !session.isPublic) await updateSession(ctx, id, { is_public: true })
  return share
}

/** A session and its first slides that anyone may see. */
export async function previewSession(ctx: Context, id: number) {
  const session = await findSession(ctx, id)
  return session && { session, media: await findPreviewSlides(ctx, id, previewSlides) }
}

/** For whoever came by a link: the session with its slides, as JSON text. */
export async function openSessionJson(
  ctx: Context,
  user: SignedInUser,
  id: number,
): Promise<string> {
  const session = await findSession(ctx, id)
  const text = session && (await readSessionJson(ctx, id, { withNsfw: seesNsfw(user, session) }))
  if (!text) throw problem.shareNotFound()
  return text
}

/** A bound that is left out is the usual one, moved where it would be on the wrong side. */
function intervalsOf(given: Pick<Settings, 'intervalMin' | 'intervalMax'>) {
  const intervalMin = given.intervalMin ?? Math.min(3, given.intervalMax ?? 3)
  return { intervalMin, intervalMax: given.intervalMax ?? Math.max(10, intervalMin) }
}
