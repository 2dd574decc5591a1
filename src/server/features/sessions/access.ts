/** Who may see a session: its owner, whoever holds its link, and for public ones anyone signed in. */
import type { Context } from '../../context.ts'
import type { Visitor } from '../../http/route.ts'
import { problem } from '../../problem.ts'
import type { SignedInUser } from '../accounts/sign-ins.ts'
import { opensSession } from '../sharing/share-codes.ts'
import type { SessionView } from './queries.ts'
import { findSession, lockSession } from './queries.ts'

type Caller = { readonly user: SignedInUser; readonly visitor: Visitor }

/** The session, for whoever may read and play it. */
export async function requireReadable(
  ctx: Context,
  { user, visitor }: Caller,
  id: number,
): Promise<SessionView> {
  const session = await findSession(ctx, id)
  if (!session) throw problem.sessionNotFound()
  if (session.userId === user.id) return session
  if (await opensSession(ctx, visitor, session.id)) return session
  if (!session.isPublic) throw problem.sessionForbidden()
  return session
}

export async function requireOwn(ctx: Context, userId: string, id: number): Promise<SessionView> {
  return refuseOthers(await findSession(ctx, id), userId)
}

/** The own session, held until the transaction ends. */
export async function lockOwn(ctx: Context, userId: string, id: number): Promise<SessionView> {
  return refuseOthers(await lockSession(ctx, id), userId)
}

/** Owners see all that is theirs; others see adult slides only once their age is verified. */
export function seesNsfw(user: SignedInUser, session: SessionView): boolean {
  return user.ageVerified || session.userId === user.id
}

function refuseOthers(session: SessionView | null, userId: string): SessionView {
  if (!session) throw problem.sessionNotFound()
  if (session.userId !== userId) throw problem.sessionForbidden()
  return session
}
