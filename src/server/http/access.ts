/** Finds the caller of a request by API key or cookie, and checks that they may call the endpoint. */
import type { Endpoint } from '../../contract/endpoint.ts'
import { unauthorizedOf } from '../../contract/endpoint.ts'
import type { KeyScope } from '../../contract/key-scopes.ts'
import { scopeOf } from '../../contract/key-scopes.ts'
import type { Context } from '../context.ts'
import type { Callers, SignedInUser, Visitor } from './caller.ts'
import { Problem, problem } from './problem.ts'

export function findCaller(
  ctx: Context,
  visitor: Visitor,
  callers: Callers,
): Promise<SignedInUser | null> {
  return visitor.key === null
    ? callers.findSignedInUser(ctx, visitor.cookies)
    : callers.findKeyHolder(ctx, visitor.key, visitor)
}

/** Returns the caller's account at an endpoint open to anyone, or null if it does not count there. */
export async function findGuest(
  ctx: Context,
  endpoint: Endpoint,
  visitor: Visitor,
  callers: Callers,
): Promise<SignedInUser | null> {
  const needed = scopeOf(endpoint)
  if (visitor.key !== null && needed === null) return null
  const user = await findCaller(ctx, visitor, callers)
  if (!user?.isActive) return null
  const isCounted = user.scopes === null || (needed !== null && user.scopes.includes(needed))
  return isCounted ? user : null
}

export function requireAccess(
  endpoint: Endpoint,
  user: SignedInUser | null,
): asserts user is SignedInUser {
  if (!user) throw new Problem(unauthorizedOf(endpoint))
  if (!user.isActive) throw problem.accountDisabled()
  if (user.scopes) requireScopeFor(endpoint, user)
  if (!mayCall(endpoint, user)) throw problem.forbidden()
}

/**
 * Refuses a key without the scope. Handlers check for a second scope if their response depends on the
 * request's body. Browsers have every scope.
 */
export function requireScope(
  { scopes }: { readonly scopes?: SignedInUser['scopes'] },
  needed: KeyScope,
): void {
  if (scopes && !scopes.includes(needed))
    throw problem.scopeMissing({ message: `This needs a key with the scope ${needed}` })
}

function requireScopeFor(endpoint: Endpoint, user: SignedInUser): void {
  const needed = scopeOf(endpoint)
  if (needed === null) throw problem.scopeMissing({ message: 'Keys cannot be used for this' })
  requireScope(user, needed)
}

function mayCall(endpoint: Endpoint, user: SignedInUser): boolean {
  if (endpoint.who === 'super_admin') return user.role === 'super_admin'
  if (endpoint.who === 'admin') return user.role !== 'user'
  return true
}
