/** Who may see a session: its owner, whoever holds its link, and for public ones anyone signed in. */
import type { Context } from '../../context.ts'
import type { Visitor } from '../../http/route.ts'
import { problem } from '../../problem.ts'
import type { SignedInUser } from '../accounts/sign-ins.ts'
import { isHiddenSession, isQuarantinedSession } from '../moderation/hidden.ts'
import { opensSession } from '../sharing/share-codes.ts'
import type { SessionView } from './queries.ts'
import { findSession, lockSession, readSessionJson } from './queries.ts'

/** Without a user: whoever came by a link that needs no account. */
type Caller = { readonly user: SignedInUser | null; readonly visitor: Visitor }
type Member = Caller & { readonly user: SignedInUser }

/** The session, for whoever may read and play it. */
export async function requireReadable(
  ctx: Context,
  caller: Caller,
  id: number,
): Promise<SessionView> {
  const session = await findSession(ctx, id)
  if (!session) throw problem.sessionNotFound()
  await refuseUnreadable(ctx, caller, id, session)
  return session
}

/** The session with its slides as JSON text, for whoever may read it. */
export async function readReadable(ctx: Context, caller: Member, id: number): Promise<string> {
  const session = await readSessionJson(ctx, id, caller.user)
  if (!session) throw problem.sessionNotFound()
  await refuseUnreadable(ctx, caller, id, session)
  return session.json
}

export async function requireOwn(ctx: Context, userId: string, id: number): Promise<SessionView> {
  return refuseOthers(ctx, await findSession(ctx, id), userId)
}

/** The own session, held until the transaction ends. */
export async function lockOwn(ctx: Context, userId: string, id: number): Promise<SessionView> {
  return refuseOthers(ctx, await lockSession(ctx, id), userId)
}

async function refuseUnreadable(
  ctx: Context,
  { user, visitor }: Caller,
  id: number,
  session: { readonly userId: string; readonly isPublic: boolean },
): Promise<void> {
  if (session.userId === user?.id) return refuseQuarantined(ctx, id)
  if (await isHiddenSession(ctx, id)) throw problem.sessionForbidden()
  if (await opensSession(ctx, visitor, id)) return
  if (!user) throw problem.unauthorized()
  if (!session.isPublic) throw problem.sessionForbidden()
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

/** What may show a minor is kept from its owner too, from the report on. */
async function refuseQuarantined(ctx: Context, id: number): Promise<void> {
  if (await isQuarantinedSession(ctx, id)) throw problem.sessionNotFound()
}
