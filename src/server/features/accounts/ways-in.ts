/** Which ways in a site has, and whose account is made by its settings. */
import type { Context } from '../../context.ts'
import type { Settings } from '../settings/settings.ts'

/** Where a production site has an OIDC provider, that is the only way in. */
export function hasLocalAccounts(ctx: Context): boolean {
  return !ctx.config.production || !ctx.config.oidc
}

/** Where there are no local accounts nobody can make one, whatever is set. */
export function registrationOf(ctx: Context, { registration }: Settings): 'open' | 'closed' {
  return hasLocalAccounts(ctx) ? registration : 'closed'
}

/** Of a development start, this one or an earlier one on the same database. Nobody else's begins so. */
export function isDevUserId(id: string): boolean {
  return id.startsWith('dev-user-')
}
