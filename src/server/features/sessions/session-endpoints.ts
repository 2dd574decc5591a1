/** Creating, reading and changing a session as a whole, also for other features. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { requireMediaAddress } from '../../http/media/media-url.ts'
import { JsonText } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { chooseCategory, refuseUnknownTags } from '../classification/classification.ts'
import { inAccountTurn, spendInStatement, takenDebit } from '../credits/credits.ts'
import { chooseSubfeeds } from '../feeds/feeds.ts'
import { removeFiles } from '../files/files.ts'
import { refuseUnshareable } from '../moderation/moderation.ts'
import { lockOwn, readReadable } from './access.ts'
import { coverUrl } from './covers.ts'
import { fillCharge, insertWithFill, promiseFill, refuseWithoutSubfeeds } from './fill/refill.ts'
import { setRefresh } from './fill/refresh-queries.ts'
import type { NewSession, SessionView } from './queries.ts'
import { findSession, listSessionsJson, updateSession } from './queries.ts'
import { changeOf, refuseForImported } from './session-change.ts'
import { shareInCommunity } from './share-in-community.ts'

export async function listSessions(ctx: Context, { user, query }: Call<typeof api.sessions.list>) {
  return new JsonText(await listSessionsJson(ctx, user.id, query))
}

export function createSession(ctx: Context, call: Call<typeof api.sessions.create>) {
  const { user, body, settle } = call
  return settle(async (ctx) => {
    const prepared = await prepareFeedSession(ctx, user, body)
    const make = async (ctx: Context) => {
      const { session } = await spendInStatement(ctx, user.id, fillCharge(body), (ctx, debit) =>
        insertWithFill(ctx, prepared, debit),
      )
      return session
    }
    if (!body.shareToCommunity) return make(ctx)
    return inAccountTurn(ctx, user.id, async (ctx) => {
      const session = await make(ctx)
      await shareInCommunity(ctx, call, session)
      return session
    })
  })
}

/** Creates a session for a user without a charge, so nothing is ever refunded either. */
export async function createFreeSession(
  ctx: Context,
  userId: string,
  body: NewFeedSession,
): Promise<SessionView> {
  const prepared = await prepareFeedSession(ctx, { id: userId, role: null }, body)
  const made = await insertWithFill(ctx, prepared, takenDebit(null))
  if (!made) throw new Error('the session was not inserted')
  return made.session
}

type NewFeedSession = Call<typeof api.sessions.create>['body']
type Settings = Omit<NewFeedSession, 'subfeeds'>

async function prepareFeedSession(
  ctx: Context,
  user: Parameters<typeof chooseSubfeeds>[2],
  body: NewFeedSession,
): Promise<NewSession> {
  const subfeeds = await chooseSubfeeds(ctx, body.subfeeds, user)
  return {
    ...(await prepareSession(ctx, user.id, body)),
    subfeeds,
    thumbnail: body.thumbnail ?? coverUrl(subfeeds),
    fillStatus: 'pending',
  }
}

/** Prepares the row of a new session: checks its category and tags, and puts its intervals in order. */
export async function prepareSession(
  ctx: Context,
  userId: string,
  settings: Settings,
): Promise<NewSession> {
  await refuseUnknownTags(ctx, 'tags', settings.tags)
  requireMediaAddress(ctx, 'thumbnail', settings.thumbnail)
  const category =
    typeof settings.categoryId === 'number'
      ? await chooseCategory(ctx, settings.categoryId)
      : { categoryId: null, categorySource: 'default' as const }
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
    shareToCommunity: settings.shareToCommunity,
    isFavorite: settings.isFavorite,
    isManualMode: settings.isManualMode,
    tags: [...new Set(settings.tags)],
    nsfw: settings.nsfw ?? false,
    fillStatus: 'ready',
  }
}

export async function readSession(ctx: Context, call: Call<typeof api.sessions.read>) {
  return new JsonText(await readReadable(ctx, call, call.params.id))
}

export async function changeSession(ctx: Context, call: Call<typeof api.sessions.update>) {
  const { user, params, settle } = call
  const { subfeeds: names, ...others } = call.body
  requireMediaAddress(ctx, 'thumbnail', others.thumbnail)
  const subfeeds = names && (await chooseSubfeeds(ctx, names, user))
  const body = { ...others, ...(subfeeds && { subfeeds }) }
  const withdrawn: FileAddress[] = []
  const answer = await settle((ctx) =>
    inAccountTurn(ctx, user.id, async (ctx) => {
      const session = await lockOwn(ctx, user.id, params.id)
      refuseForImported(session, body)
      if (body.tags) await refuseUnknownTags(ctx, 'tags', body.tags)
      const category =
        body.categoryId === undefined ? null : await chooseCategory(ctx, body.categoryId)
      if (body.refreshDaily !== undefined) {
        if (body.refreshDaily) refuseWithoutSubfeeds(session)
        await setRefresh(ctx, session.id, body.refreshDaily)
      }
      const changed = await updateSession(ctx, session.id, changeOf(session, body, category))
      if (body.nsfw !== undefined || body.captionTheme !== undefined)
        await ctx.publisher.markPublishedAdult(ctx, session.id)
      const refills = body.subfeeds && String(body.subfeeds) !== String(session.subfeeds)
      if (refills) await promiseFill(ctx, changed ?? session)
      const now = (refills ? await findSession(ctx, session.id) : changed) ?? session
      if (body.shareToCommunity) await shareInCommunity(ctx, call, now)
      if (body.shareToCommunity === false)
        withdrawn.push(...(await ctx.publisher.withdrawSession(ctx, session.id)))
      return now
    }),
  )
  await removeFiles(ctx, withdrawn)
  return answer
}

/**
 * Makes the link. The session becomes public if the link has neither an expiry nor a password.
 * Otherwise it becomes private.
 */
export async function publishByLink<
  S extends { expiresAt: Date | null; passwordHash: string | null },
>(ctx: Context, userId: string, id: number, makeLink: () => Promise<S>): Promise<S> {
  const session = await lockOwn(ctx, userId, id)
  await refuseUnshareable(ctx, id)
  const share = await makeLink()
  const isOpen = share.expiresAt === null && share.passwordHash === null
  if (isOpen !== session.isPublic) await updateSession(ctx, id, { is_public: isOpen })
  return share
}

/** Fills in bounds that are left out: 3 and 10 seconds, moved if they would contradict the other bound. */
function intervalsOf(given: Pick<Settings, 'intervalMin' | 'intervalMax'>) {
  const intervalMin = given.intervalMin ?? Math.min(3, given.intervalMax ?? 3)
  return { intervalMin, intervalMax: given.intervalMax ?? Math.max(10, intervalMin) }
}
