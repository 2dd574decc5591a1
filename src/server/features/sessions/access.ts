/** Who may see a session: its owner, whoever holds its link, and for public ones anyone signed in. */
import type { Context } from '../../context.ts'
import type { Grant } from '../../http/media-url.ts'
import type { Visitor } from '../../http/route.ts'
import { problem } from '../../problem.ts'
import type { SignedInUser } from '../accounts/sign-ins.ts'
import { grantedJson, grantedView, grantOf } from '../files/grants.ts'
import { isHiddenSession, isQuarantinedSession } from '../moderation/hidden.ts'
import { grantOfShareCode } from '../sharing/share-codes.ts'
import type { SessionView } from './queries.ts'
import { findSession, lockSession, readSessionJson } from './queries.ts'

type Caller = { readonly user: SignedInUser; readonly visitor: Visitor }

/** The session as it is given to whoever may read and play it. */
export async function requireReadable(
  ctx: Context,
  caller: Caller,
  id: number,
): Promise<SessionView> {
  const session = await findSession(ctx, id)
  if (!session) throw problem.sessionNotFound()
  const grant = await requireGrant(ctx, caller, id, session)
  return grant ? grantedView(ctx, grant, session) : session
}

/** The session with its slides as JSON text, for whoever may read it. */
export async function readReadable(ctx: Context, caller: Caller, id: number): Promise<string> {
  const session = await readSessionJson(ctx, id, caller.user)
  if (!session) throw problem.sessionNotFound()
  const grant = await requireGrant(ctx, caller, id, session)
  return grant ? grantedJson(ctx, grant, session.json) : session.json
}

export async function requireOwn(ctx: Context, userId: string, id: number): Promise<SessionView> {
  return refuseOthers(ctx, await findSession(ctx, id), userId)
}

/** The own session, held until the transaction ends. */
export async function lockOwn(ctx: Context, userId: string, id: number): Promise<SessionView> {
  return refuseOthers(ctx, await lockSession(ctx, id), userId)
}

/** By what the caller may read it; null for the owner, who needs no grant. */
async function requireGrant(
  ctx: Context,
  { user, visitor }: Caller,
  id: number,
  session: { readonly userId: string; readonly isPublic: boolean },
): Promise<Grant | null> {
  if (session.userId === user.id) return null
  if (await isHiddenSession(ctx, id)) throw problem.sessionForbidden()
  const shared = await grantOfShareCode(ctx, visitor, id)
  if (shared) return shared
  if (!session.isPublic) throw problem.sessionForbidden()
  return grantOf('public', id)
}

async function refuseOthers(
  ctx: Context,
  session: SessionView | null,
  userId: string,
): Promise<SessionView> {
  if (!session) throw problem.sessionNotFound()
  if (session.userId !== userId) throw problem.sessionForbidden()
  if (await isQuarantinedSession(ctx, session.id)) throw problem.sessionNotFound()
  return session
}
