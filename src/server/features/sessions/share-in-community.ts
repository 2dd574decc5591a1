/** Sharing a session in the community as its owner asked for it, with a new session or a change. */
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

/** What the community does with sessions. It is built on them, so they reach it by the context. */
export type Publisher = {
  /** In the transaction of the change that asks for it, which holds the session. */
  publishSession(
    ctx: Context,
    owner: { readonly ageVerified: boolean },
    session: SessionView,
    options: { readonly saidSafe: boolean },
  ): Promise<void>
  /** In the transaction that ends a fill: what waits for it is frozen. */
  publishFilled(ctx: Context, sessionId: number): Promise<void>
  /** In the transaction that changes what its owner says of the session: what was published follows. */
  markPublishedAdult(ctx: Context, sessionId: number): Promise<void>
  /**
   * In the transaction that takes the session back, or deletes it: nobody would be left who could
   * withdraw it later. What it returns is for `removeFiles`, once that is committed.
   */
  withdrawSession(ctx: Context, sessionId: number): Promise<FileAddress[]>
}

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
  await ctx.publisher.publishSession(ctx, user, session, { saidSafe: body.nsfw === false })
  await logActivity(ctx, visitor, {
    userId: user.id,
    action: 'session_shared',
    feature: 'sessions',
    details: { community: true },
    sessionId: session.id,
  })
}
