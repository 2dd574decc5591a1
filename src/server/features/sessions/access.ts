/**
 * Access rules of sessions. A session is readable by its owner, by callers with a valid link, and, if
 * it is public, by every signed-in user.
 */
import type { Context } from '../../context.ts'
import type { SignedInUser, Visitor } from '../../http/caller.ts'
import type { Grant } from '../../http/media/media-url.ts'
import { Problem, problem } from '../../http/problem.ts'
import { grantedJson, grantedView, grantOf } from '../files/files.ts'
import { findOpeningShare, grantOfShare } from '../share-links/share-links.ts'
import {
  adultsOnly,
  isHiddenSession,
  isOfAgeFor,
  isQuarantinedSession,
  maySeeAdult,
  viewerOf,
} from '../visibility/visibility.ts'
import type { SessionView } from './queries.ts'
import { findJudgedSession, findSession, lockSession, readSessionJson } from './queries.ts'

/** A caller. The user is null for a visitor whose link needs no account. */
type Caller = { readonly user: SignedInUser | null; readonly visitor: Visitor }
/** The link that opens the session. Null if none was needed. */
type OpeningShare = Awaited<ReturnType<typeof findOpeningShare>>
type Member = Caller & { readonly user: SignedInUser }

/** Returns the session if the caller may read and play it. */
export async function requireReadable(
  ctx: Context,
  caller: Caller,
  id: number,
): Promise<SessionView> {
  return (await requireReading(ctx, caller, id)).session
}

/** Returns the session and the link that opened it. An event stream checks that link again later. */
export async function requireReading(ctx: Context, caller: Caller, id: number) {
  const found = await findJudgedSession(ctx, id)
  if (!found) throw problem.sessionNotFound()
  const { session, isAdult } = found
  const { share, grant } = await requireAccess(ctx, caller, id, { ...session, isAdult })
  return { session: grant ? grantedView(ctx, grant, session) : session, share }
}

/** Decides who may read a session, from facts that are already known. The age check is separate. */
export function mayEnter(known: {
  readonly isOwner: boolean
  readonly isHidden: boolean
  readonly isPublic: boolean
  readonly isOpenedByLink: boolean
}): boolean {
  if (known.isOwner) return true
  return !known.isHidden && (known.isPublic || known.isOpenedByLink)
}

/** Returns the session with its slides as JSON text if the caller may read it. */
export async function readReadable(ctx: Context, caller: Member, id: number): Promise<string> {
  const session = await readSessionJson(ctx, id, caller.user)
  if (!session) throw problem.sessionNotFound()
  const { grant } = await requireAccess(ctx, caller, id, session)
  return grant ? grantedJson(ctx, grant, session.json) : session.json
}

export async function requireOwn(ctx: Context, userId: string, id: number): Promise<SessionView> {
  return refuseOthers(ctx, await findSession(ctx, id), userId)
}

/**
 * Returns the own session for a job, or null if the job may no longer use it. An outage still fails the
 * job.
 */
export async function findOwn(
  ctx: Context,
  userId: string,
  id: number,
): Promise<SessionView | null> {
  return requireOwn(ctx, userId, id).catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
}

/** Returns the own session and locks it until the transaction ends. */
export async function lockOwn(ctx: Context, userId: string, id: number): Promise<SessionView> {
  return refuseOthers(ctx, await lockSession(ctx, id), userId)
}

/**
 * Returns the link and the access grant under which the caller may read the session. The owner needs
 * neither.
 */
async function requireAccess(
  ctx: Context,
  { user, visitor }: Caller,
  id: number,
  session: {
    readonly userId: string
    readonly isPublic: boolean
    readonly isAdult: boolean
    /** Looked up if not known yet. */
    readonly isQuarantined?: boolean
  },
): Promise<{ share: OpeningShare; grant: Grant | null }> {
  const isOwner = session.userId === user?.id
  if (isOwner) await refuseQuarantined(ctx, id, session.isQuarantined)
  const isHidden = !isOwner && (await isHiddenSession(ctx, id))
  const share = isOwner || isHidden ? null : await findOpeningShare(ctx, visitor, id)
  if (!user && !isHidden && !share) throw problem.unauthorized()
  const { isPublic } = session
  if (!mayEnter({ isOwner, isHidden, isPublic, isOpenedByLink: share !== null }))
    throw problem.sessionForbidden()
  if (isOwner) return { share: null, grant: null }
  const viewer = viewerOf(user, session.userId)
  if (!isOfAgeFor({ isAdult: session.isAdult, ...viewer }))
    throw user ? adultsOnly() : problem.unauthorized()
  const holder = { isForAdults: maySeeAdult(viewer) }
  return { share, grant: share ? grantOfShare(share, holder) : grantOf('public', id, holder) }
}

async function refuseOthers(
  ctx: Context,
  session: SessionView | null,
  userId: string,
): Promise<SessionView> {
  if (!session) throw problem.sessionNotFound()
  if (session.userId !== userId) throw problem.sessionForbidden()
  await refuseQuarantined(ctx, session.id)
  return session
}

/** Hides a quarantined session from its owner too, as soon as it is reported: it may show a minor. */
async function refuseQuarantined(ctx: Context, id: number, isQuarantined?: boolean): Promise<void> {
  if (isQuarantined ?? (await isQuarantinedSession(ctx, id))) throw problem.sessionNotFound()
}
