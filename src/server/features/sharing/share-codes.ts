/** The front door of share links: which session a code opens, and for whom. */
import type { Context } from '../../context.ts'
import type { Grant } from '../../http/media-url.ts'
import type { Visitor } from '../../http/route.ts'
import { problem } from '../../problem.ts'
import { isPassword } from '../accounts/passwords.ts'
import { grantOf } from '../files/grants.ts'
import { isHiddenSession } from '../moderation/hidden.ts'
import type { Share } from './queries.ts'
import { findOwnerName, findShare } from './queries.ts'

/** The share behind a code, if it is still open and the visitor knows its password. */
export async function openShare(ctx: Context, visitor: Visitor, code: string): Promise<Share> {
  const share = await findShare(ctx, code.toLowerCase())
  if (!share || (await isHiddenSession(ctx, share.sessionId))) throw problem.shareNotFound()
  if (share.expiresAt && share.expiresAt <= ctx.now()) throw problem.shareExpired()
  if (share.passwordHash !== null && !(await knowsPassword(visitor, share.passwordHash)))
    throw problem.sharePassword()
  return share
}

/** What others are told of whose something is. */
export function ownerNameOf(ctx: Context, userId: string): Promise<string> {
  return findOwnerName(ctx, userId)
}

/** The share by which the request's X-Share-Code opens this very session; null where it does not. */
export async function findOpeningShare(
  ctx: Context,
  visitor: Visitor,
  sessionId: number,
): Promise<Share | null> {
  const code = visitor.header('x-share-code')
  if (code === null || !isShareCode(code)) return null
  const share = await findShare(ctx, code.toLowerCase())
  if (share?.sessionId !== sessionId) return null
  return openShare(ctx, visitor, code)
}

export function grantOfShare({ grantId }: Share): Grant {
  return grantOf('share', grantId)
}

function isShareCode(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

async function knowsPassword(visitor: Visitor, passwordHash: string): Promise<boolean> {
  const given = visitor.header('x-share-password')
  return given !== null && isPassword(given, passwordHash)
}
