/**
 * The account that the current work belongs to. It is set once, when a request or a job starts. Everything
 * that shares a scarce resource among accounts (turns, image work, jobs) reads it, so no caller can forget
 * to pass it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export type AccountScope = {
  /** A user's id, a visitor's address, or one of the names below. */
  readonly account: string
  /** True for background work: all other work runs first. */
  readonly isLast?: boolean
  /** True if a person waits for the result. Such work does not queue behind long jobs. */
  readonly isAwaited?: boolean
}

/** The scope of sweeps and other work that the site does for itself. */
export const siteScope: AccountScope = { account: 'site' }

/** The scope of the demo data of a new development site. */
export const demoScope: AccountScope = { account: 'demo', isLast: true }

const scopes = new AsyncLocalStorage<AccountScope>()

export function inAccountScope<T>(scope: AccountScope, work: () => T): T {
  return scopes.run(scope, work)
}

export function currentScope(): AccountScope {
  return scopes.getStore() ?? siteScope
}
