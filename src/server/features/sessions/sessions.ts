/** What can be done with a session as a whole, and the front door for other features. */
import type { api } from '../../../contract/api.ts'
import { atomically } from '../../atomically.ts'
import type { Context } from '../../context.ts'
import { JsonText } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import type { FileAddress } from '../../platform/storage.ts'
import { problem } from '../../problem.ts'
import { logActivity } from '../accounts/activity.ts'
import type { SignedInUser } from '../accounts/sign-ins.ts'
import { chooseCategory, refuseUnknownTags } from '../classification/classification.ts'
import { publishSession, withdrawSession } from '../community/publication.ts'
import { spendAnd } from '../credits/spending.ts'
import { removeFiles } from '../files/unclaimed-files.ts'
import { refuseUnshareable } from '../moderation/sharing-rules.ts'
import { lockOwn, readReadable } from './access.ts'
import { coverUrl } from './covers.ts'
import { abandonOwnFiles } from './own-files.ts'
import { insertWithFill, promiseFill } from './refill.ts'
import type { NewSession, SessionView } from './queries.ts'
import {
  deleteSession,
  findSession,
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
    const session = await prepareFeedSession(ctx, user.id, body)
    const charge = { featureKey: 'session_create', description: `Session “${body.title}”` }
    return spendAnd(ctx, user.id, charge, (ctx, { debitId }) =>
      insertWithFill(ctx, { ...session, fillDebitId: debitId }),
    )
  })
}

/** As if the user had created it, but nothing is charged and so nothing is ever paid back. */
export function giveSession(
  ctx: Context,
  userId: string,
  body: NewFeedSession,
): Promise<SessionView> {
  return atomically(ctx, async (ctx) =>
    insertWithFill(ctx, await prepareFeedSession(ctx, userId, body)),
  )
}

type NewFeedSession = Call<typeof api.sessions.create>['body']
type Settings = Omit<NewFeedSession, 'subfeeds'>

async function prepareFeedSession(
  ctx: Context,
  userId: string,
  body: NewFeedSession,
): Promise<NewSession> {
  return {
    ...(await prepareSession(ctx, userId, body)),
    subfeeds: body.subfeeds,
    thumbnail: body.thumbnail ?? coverUrl(body.subfeeds),
    fillStatus: 'pending',
  }
}

/** The row of a new session, with its category and tags checked and its intervals in order. */
export async function prepareSession(
  ctx: Context,
  userId: string,
  settings: Settings,
): Promise<NewSession> {
  await refuseUnknownTags(ctx, 'tags', settings.tags)
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
    isFavorite: settings.isFavorite,
    isManualMode: settings.isManualMode,
    tags: [...new Set(settings.tags)],
    nsfw: settings.nsfw,
    fillStatus: 'ready',
    fillDebitId: null,
  }
}

export async function readSession(ctx: Context, call: Call<typeof api.sessions.read>) {
  return new JsonText(await readReadable(ctx, call, call.params.id))
}

export async function changeSession(ctx: Context, call: Call<typeof api.sessions.update>) {
  const { user, params, body } = call
  const withdrawn: FileAddress[] = []
  const answer = await atomically(ctx, async (ctx) => {
    const session = await lockOwn(ctx, user.id, params.id)
    refuseForImported(session, body)
    if (body.tags) await refuseUnknownTags(ctx, 'tags', body.tags)
    const category =
      body.categoryId === undefined ? null : await chooseCategory(ctx, body.categoryId)
    const changed = await updateSession(ctx, session.id, changeOf(session, body, category))
    const refills = body.subfeeds && String(body.subfeeds) !== String(session.subfeeds)
    if (refills) await promiseFill(ctx, session.id)
    const now = (refills ? await findSession(ctx, session.id) : changed) ?? session
    withdrawn.push(...(await shareAsAsked(ctx, call, now)))
    return now
  })
  await removeFiles(ctx, withdrawn)
  return answer
}

/** The files of what was withdrawn. */
async function shareAsAsked(
  ctx: Context,
  { user, visitor, body }: Call<typeof api.sessions.update>,
  session: SessionView,
): Promise<FileAddress[]> {
  if (body.shareToCommunity === undefined) return []
  if (!body.shareToCommunity) return withdrawSession(ctx, session.id)
  await refuseUnshareable(ctx, session.id)
  await publishSession(ctx, user, session, { saidSafe: body.nsfw === false })
  await logActivity(ctx, visitor, {
    userId: user.id,
    action: 'session_shared',
    feature: 'sessions',
    details: { community: true },
    sessionId: session.id,
  })
  return []
}

export async function removeSession(
  ctx: Context,
  { user, params }: Call<typeof api.sessions.remove>,
) {
  const files = await atomically(ctx, async (ctx) => {
    const session = await lockOwn(ctx, user.id, params.id)
    const own = await abandonOwnFiles(ctx, session.id, 'all')
    const published = await withdrawSession(ctx, session.id)
    await deleteSession(ctx, session.id)
    return [...own, ...published]
  })
  await removeFiles(ctx, files)
  return { message: 'Session deleted successfully' }
}

/** Makes the link. The session is public from then on exactly where the link asks for nothing. */
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

/** A session and its first slides that anyone may see. */
export async function previewSession(ctx: Context, id: number) {
  const session = await findSession(ctx, id)
  return session && { session, media: await findPreviewSlides(ctx, id, previewSlides) }
}

/** For whoever came by a link: the session with its slides, as JSON text. */
export async function openSessionJson(
  ctx: Context,
  user: SignedInUser | null,
  id: number,
): Promise<string> {
  const found = await readSessionJson(ctx, id, user ?? { id: '', ageVerified: false })
  if (!found) throw problem.shareNotFound()
  return user ? found.json : withoutAdultTheme(found.json)
}

/** Every theme but the owner's own is for adults. */
export function isAdultTheme(theme: SessionView['captionTheme']): boolean {
  return theme !== null && theme !== 'custom'
}

function withoutAdultTheme(json: string): string {
  const whole = JSON.parse(json) as { session: SessionView; media: unknown[] }
  if (!isAdultTheme(whole.session.captionTheme)) return json
  return JSON.stringify({ ...whole, session: { ...whole.session, thumbnail: null }, media: [] })
}

/** A bound that is left out is the usual one, moved where it would be on the wrong side. */
function intervalsOf(given: Pick<Settings, 'intervalMin' | 'intervalMax'>) {
  const intervalMin = given.intervalMin ?? Math.min(3, given.intervalMax ?? 3)
  return { intervalMin, intervalMax: given.intervalMax ?? Math.max(10, intervalMin) }
}
