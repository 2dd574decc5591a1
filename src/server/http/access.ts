/** Who a request comes from, by its key or its cookie, and whether they may call the endpoint. */
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

export function requireAccess(endpoint: Endpoint, user: SignedInUser | null): void {
  if (!user) throw new Problem(unauthorizedOf(endpoint))
  if (!user.isActive) throw problem.accountDisabled()
  if (user.scopes) requireScope(endpoint, user.scopes)
  if (!mayCall(endpoint, user)) throw problem.forbidden()
}

function requireScope(endpoint: Endpoint, scopes: readonly KeyScope[]): void {
  const needed = scopeOf(endpoint)
  if (needed === null) throw problem.scopeMissing({ message: 'Keys cannot be used for this' })
  if (!scopes.includes(needed))
    throw problem.scopeMissing({ message: `This needs a key with the scope ${needed}` })
}

function mayCall(endpoint: Endpoint, user: SignedInUser): boolean {
  if (endpoint.who === 'super_admin') return user.role === 'super_admin'
  if (endpoint.who === 'admin') return user.role !== 'user'
  return true
}
