/** Sharing a session in the community when its owner asks for it with a new session or a change. */
import type { Context } from '../../context.ts'
import type { SignedInUser, Visitor } from '../../http/caller.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { logActivity } from '../activity/activity.ts'
import { refuseUnshareable } from '../moderation/moderation.ts'
import type { SessionView } from './queries.ts'

declare module '../../context.ts' {
  interface Context {
    readonly publisher: Publisher
  }
}

/**
 * The community's actions on sessions. The community imports sessions, so sessions call it through the
 * context.
 */
export type Publisher = {
  /** Runs in the transaction of the change, which holds the session. */
  publishSession(
    ctx: Context,
    owner: { readonly ageVerified: boolean },
    session: SessionView,
    options: { readonly saidSafe: boolean },
  ): Promise<void>
  /** Runs in the transaction that ends a fill. Freezes the publication that waits for it, if there is one. */
  publishFilled(ctx: Context, sessionId: number): Promise<void>
  /**
   * Runs in the transaction in which the owner changes the session's rating or theme. Marks its
   * publication as adult if the session is adult now.
   */
  markPublishedAdult(ctx: Context, sessionId: number): Promise<void>
  /**
   * Runs in the transaction that withdraws or deletes the session, because later there is no session
   * left to withdraw. Pass the returned files to `removeFiles` after the commit.
   */
  withdrawSession(ctx: Context, sessionId: number): Promise<FileAddress[]>
}

/**
 * Runs in the transaction that creates or changes the session. The publication is made after the
 * session's fill has ended.
 */
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
  await ctx.publisher.publishSession(ctx, user, session, { saidSafe: body.nsfw === false })
  await logActivity(ctx, visitor, {
    userId: user.id,
    action: 'session_shared',
    feature: 'sessions',
    details: { community: true },
    sessionId: session.id,
  })
}
