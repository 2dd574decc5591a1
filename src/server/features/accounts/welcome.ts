/** The last step of every way to sign in: the account is open, the cookie new, the deed recorded. */
import { atomically } from '../../atomically.ts'
import type { Context } from '../../context.ts'
import type { Cookie } from '../../http/reply.ts'
import type { Visitor } from '../../http/route.ts'
import { problem } from '../../problem.ts'
import { logActivity } from './activity.ts'
import type { UserRow } from './queries.ts'
import { startSignIn } from './sign-ins.ts'

export function welcome(
  ctx: Context,
  visitor: Visitor,
  user: UserRow,
  method: 'dev' | 'local' | 'oidc',
): Promise<Cookie> {
  if (!user.isActive) throw problem.accountDisabled()
  return atomically(ctx, async (ctx) => {
    await logActivity(ctx, visitor, {
      userId: user.id,
      action: 'login',
      feature: 'authentication',
      details: { method },
    })
    return startSignIn(ctx, user.id, visitor.cookies)
  })
}
