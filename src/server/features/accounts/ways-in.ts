/** Which ways in a site has, and whose account is made by its settings. */
import type { Context } from '../../context.ts'
import type { Settings } from '../settings/settings.ts'
import { hasSubject } from './queries.ts'

/** Where a production site has an OIDC provider, that is the only way in. */
export function hasLocalAccounts(ctx: Context): boolean {
  return !ctx.config.production || !ctx.config.oidc
}

/** Where there are no local accounts nobody can make one, whatever is set. */
export function registrationOf(ctx: Context, { registration }: Settings): 'open' | 'closed' {
  return hasLocalAccounts(ctx) ? registration : 'closed'
}

/** Whether the provider says who gets in: such an account has no password, and is given none. */
export async function isGuardedByProvider(ctx: Context, userId: string): Promise<boolean> {
  return ctx.config.oidc !== undefined && (await hasSubject(ctx, userId))
}

/** Of a development start, this one or an earlier one on the same database. Nobody else's begins so. */
export function isDevUserId(id: string): boolean {
  return id.startsWith('dev-user-')
}
