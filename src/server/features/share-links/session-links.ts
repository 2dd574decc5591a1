/** Access by share links: which session a code opens, and for whom. */
import type { Context } from '../../context.ts'
import type { Visitor } from '../../http/caller.ts'
import type { GuessBucket } from '../../http/limits/guess-limit.ts'
import { judgeGuess } from '../../http/limits/guess-limit.ts'
import type { Grant } from '../../http/media/media-url.ts'
import { problem } from '../../http/problem.ts'
import type { AdmitGuest } from '../../http/route.ts'
import { limitAddress } from '../../platform/client-ip.ts'
import { isPassword } from '../accounts/accounts.ts'
import { grantOf } from '../files/files.ts'
import { isHiddenSession } from '../visibility/visibility.ts'
import type { Share } from './queries.ts'
import { findShare } from './queries.ts'

/** The factor by which more wrong passwords are allowed for a code than for one visitor. */
const guessersPerCode = 10

/** Returns the share of a code if it is open and the visitor has sent its password. */
export async function openShare(ctx: Context, visitor: Visitor, code: string): Promise<Share> {
  const share = await requireLiveShare(ctx, code)
  if (!(await knowsPassword(ctx, visitor, share))) throw problem.sharePassword()
  return share
}

/** Returns the share of a code if it is open. Does not check its password. */
export async function requireLiveShare(ctx: Context, code: string): Promise<Share> {
  const share = await findShare(ctx, code.toLowerCase())
  if (!share || (await isHiddenSession(ctx, share.sessionId))) throw problem.shareNotFound()
  const { expiresAt, stoppedAt } = share
  if (expiresAt === null || expiresAt > ctx.now()) return share
  throw stoppedAt && stoppedAt >= expiresAt ? problem.shareStopped() : problem.shareExpired()
}

/** Returns the share if the request's X-Share-Code opens this session, otherwise null. */
export async function findOpeningShare(
  ctx: Context,
  visitor: Visitor,
  sessionId: number,
): Promise<Share | null> {
  const share = await findShareOf(ctx, visitor.header('x-share-code'))
  return share?.sessionId === sessionId ? openShare(ctx, visitor, share.code) : null
}

export function grantOfShare({ grantId }: Share, holder: { readonly isForAdults: boolean }): Grant {
  return grantOf('share', grantId, holder)
}

/** Returns the link with this code if it needs no account. Does not check its expiry or its password. */
export async function findOpenToAnyone(
  ctx: Context,
  code: string | null | undefined,
): Promise<Share | undefined> {
  const share = await findShareOf(ctx, code)
  if (share?.access !== 'anyone' || (await isHiddenSession(ctx, share.sessionId))) return undefined
  return share
}

/** Admits callers without an account by the code in the path. */
export const admitByCode: AdmitGuest = async (ctx, { params }) =>
  (await findOpenToAnyone(ctx, params['code'])) !== undefined

async function findShareOf(
  ctx: Context,
  code: string | null | undefined,
): Promise<Share | undefined> {
  const isShareCode = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(code ?? '')
  return isShareCode && code ? findShare(ctx, code.toLowerCase()) : undefined
}

async function knowsPassword(ctx: Context, visitor: Visitor, share: Share): Promise<boolean> {
  const { passwordHash } = share
  if (passwordHash === null) return true
  const given = visitor.header('x-share-password')
  if (given === null) return false
  return judgeGuess(ctx, bucketsOf(ctx, visitor, share), () =>
    isPassword(decodePassword(given), passwordHash),
  )
}

function bucketsOf(ctx: Context, visitor: Visitor, { code }: Share): GuessBucket[] {
  const rule = ctx.config.limits.share_password
  if (!rule) return []
  const ruleOfCode = { ...rule, requests: rule.requests * guessersPerCode }
  return [
    { key: `share-password:ip:${limitAddress(visitor.ip)}`, rule },
    { key: `share-password:code:${code}`, rule: ruleOfCode },
  ]
}

/** Decodes the password. A header can contain only Latin-1, so clients percent-encode it. */
function decodePassword(given: string): string {
  try {
    return decodeURIComponent(given)
  } catch {
    return given
  }
}
