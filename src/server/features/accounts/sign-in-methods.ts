/** Answers which sign-in methods a site offers, and which accounts its configuration controls. */
import type { Context } from '../../context.ts'
import type { Settings } from '../settings/settings.ts'
import { hasSubject } from './queries.ts'

/**
 * True when people can sign in with a password. In production, an OIDC provider is the only sign-in
 * method if configured.
 */
export function hasLocalAccounts(ctx: Context): boolean {
  return !ctx.config.production || !ctx.config.oidc
}

/** Returns 'closed' on a site without local accounts, whatever the setting. */
export function registrationOf(ctx: Context, { registration }: Settings): 'open' | 'closed' {
  return hasLocalAccounts(ctx) ? registration : 'closed'
}

/**
 * True when the provider controls sign-in to the account, which then has no password and cannot get one.
 */
export async function isGuardedByProvider(ctx: Context, userId: string): Promise<boolean> {
  return ctx.config.oidc !== undefined && (await hasSubject(ctx, userId))
}

/**
 * True for development accounts, of this start or an earlier one on the same database. Other ids never
 * have this prefix.
 */
export function isDevUserId(id: string): boolean {
  return id.startsWith('dev-user-')
}
