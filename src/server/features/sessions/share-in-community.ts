/** Sharing a session in the community as its owner asked for it, with a new session or a change. */
import type { Context } from '../../context.ts'
import type { Visitor } from '../../http/route.ts'
import { logActivity } from '../activity/activity.ts'
import type { SignedInUser } from '../accounts/sign-ins.ts'
import { publishSession } from '../community/publication.ts'
import { refuseUnshareable } from '../moderation/sharing-rules.ts'
import type { SessionView } from './queries.ts'

/** In the transaction that makes or changes the session; its copy is made once its fill has ended. */
export async function shareInCommunity(
  ctx: Context,
  asked: {
    readonly user: SignedInUser
    readonly visitor: Visitor
    readonly body: { readonly nsfw?: boolean | undefined }
  },
  session: SessionView,
): Promise<void> {
  const { user, visitor, body } = asked
  await refuseUnshareable(ctx, session.id)
  await publishSession(ctx, user, session, { saidSafe: body.nsfw === false })
  await logActivity(ctx, visitor, {
    userId: user.id,
    action: 'session_shared',
    feature: 'sessions',
    details: { community: true },
    sessionId: session.id,
  })
}
