/** Sharing a session by a link, and opening such a link. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { SignedInUser } from '../../http/caller.ts'
import { problem } from '../../http/problem.ts'
import { JsonText } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { hashPassword } from '../accounts/accounts.ts'
import { logActivity } from '../activity/activity.ts'
import { openSessionJson, previewSession, publishByLink, requireOwn } from '../sessions/sessions.ts'
import type { Share } from '../share-links/share-links.ts'
import {
  ownerNameOf,
  findShareOfSession,
  openShare,
  upsertShare,
} from '../share-links/share-links.ts'

export async function shareSession(
  ctx: Context,
  { user, visitor, params, body }: Call<typeof api.sharing.shareSession>,
) {
  const passwordHash = body.password ? await hashPassword(ctx, body.password) : body.password
  return atomically(ctx, async (ctx) => {
    const share = await publishByLink(ctx, user.id, params.id, () =>
      upsertShare(ctx, {
        code: ctx.newId(),
        sessionId: params.id,
        expiresAt: typeof body.expiresAt === 'string' ? new Date(body.expiresAt) : body.expiresAt,
        passwordHash,
        access: body.access === null ? 'members' : body.access,
        download: body.download,
      }),
    )
    await logActivity(ctx, visitor, {
      userId: user.id,
      action: 'session_shared',
      feature: 'sessions',
      sessionId: params.id,
    })
    return linkOf(ctx, user, share)
  })
}

/** Returns the link to its owner. The password is unknown: only its hash is stored. */
export async function readShare(
  ctx: Context,
  { user, params }: Call<typeof api.sharing.readShare>,
) {
  const session = await requireOwn(ctx, user.id, params.id)
  const share = await findShareOfSession(ctx, session.id)
  if (!share) throw problem.sessionNotShared()
  return {
    ...linkOf(ctx, user, share),
    expiresAt: share.expiresAt?.toISOString() ?? null,
    hasPassword: share.passwordHash !== null,
    access: share.access,
    download: share.download,
  }
}

export async function previewShare(
  ctx: Context,
  { visitor, params, findUser }: Call<typeof api.sharing.preview>,
) {
  const share = await openShare(ctx, visitor, params.code)
  const preview = await previewSession(ctx, share, findUser)
  if (!preview) throw problem.shareNotFound()
  const { session, media, isAdult } = preview
  return {
    session: {
      title: session.title,
      thumbnail: session.thumbnail,
      transition: session.transition,
      intervalMin: session.intervalMin,
      intervalMax: session.intervalMax,
      captionTheme: session.captionTheme,
      mediaCount: session.mediaCount,
    },
    media: [...media],
    ownerName: await ownerNameOf(ctx, session.userId),
    requiresAuth: share.access === 'members' || isAdult,
    download: share.download,
  }
}

export async function openShared(
  ctx: Context,
  { user, visitor, params }: Call<typeof api.sharing.open>,
) {
  const share = await openShare(ctx, visitor, params.code)
  return new JsonText(await openSessionJson(ctx, user, share))
}

function linkOf(ctx: Context, { referralCode }: SignedInUser, { code }: Share) {
  return {
    shareCode: code,
    shareUrl: `${ctx.config.baseUrl}/shared/${code}?r=${referralCode}`,
    referralCode,
  }
}
