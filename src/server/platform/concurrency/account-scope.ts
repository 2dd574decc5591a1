/**
 * Whose work is being done. It is said once, where a request or a job begins, and asked wherever many
 * accounts share something scarce: turns, pictures, jobs. So no way to such a thing can forget it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export type AccountScope = {
  /** A user's id, a visitor's address, or one of the names below. */
  readonly account: string
  /** Work that nobody waits for: all other work comes first. */
  readonly isLast?: boolean
  /** Somebody waits for the answer: it does not wait for the long work of jobs. */
  readonly isAwaited?: boolean
}

/** Sweeps and whatever else the site does for itself. */
export const siteScope: AccountScope = { account: 'site' }

/** What a fresh development site begins with. */
export const demoScope: AccountScope = { account: 'demo', isLast: true }

const scopes = new AsyncLocalStorage<AccountScope>()

export function inAccountScope<T>(scope: AccountScope, work: () => T): T {
  return scopes.run(scope, work)
}

export function currentScope(): AccountScope {
  return scopes.getStore() ?? siteScope
}
