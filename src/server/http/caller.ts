/** Types for the caller of a request: the data in the request, and the signed-in account. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { KeyScope } from '../../contract/key-scopes.ts'
import type { Context } from '../context.ts'
import type { Cookie, Settled } from './reply.ts'

export type Cookies = Readonly<Record<string, string | undefined>>

/** The caller, as far as the request itself tells. */
export type Visitor = {
  readonly ip: string
  readonly isLoopback: boolean
  /** True on this machine, through local proxies at most. */
  readonly isLocal: boolean
  readonly userAgent: string | null
  /** Empty if the request has a key: it then counts for the key's owner or for no account. */
  readonly cookies: Cookies
  /** The key in the request, valid or not. */
  readonly key: string | null
  readonly authorization: string | null
  /** True for a browser that navigates or submits a form, and false for a script. */
  readonly prefersHtml: boolean
  readonly header: (name: string) => string | null
}

export type SignedInUser = {
  readonly id: string
  readonly role: 'user' | 'admin' | 'super_admin'
  readonly isActive: boolean
  readonly ageVerified: boolean
  readonly referralCode: string
  /** The scopes of the request's key. Null for a browser, which has all of them. */
  readonly scopes: readonly KeyScope[] | null
  /** The cookie to set again, if this request has extended the sign-in. */
  readonly renewal: Cookie | null
}

/** Turns work with an effect into a response. With a key, both are in one transaction. */
export type Settle = <Body>(work: (ctx: Context) => Promise<Body>) => Promise<Settled<Body>>

export type PaidCall = {
  readonly user: { readonly id: string }
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly form?: object
}

/** Functions that HTTP needs from the features for accounts and credits. */
export type Callers = {
  readonly findSignedInUser: (ctx: Context, cookies: Cookies) => Promise<SignedInUser | null>
  readonly findKeyHolder: (
    ctx: Context,
    key: string,
    visitor: Visitor,
  ) => Promise<SignedInUser | null>
  /** Answers a paid call, once per Idempotency-Key. */
  readonly answerOnce: (
    ctx: Context,
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    call: PaidCall,
    handle: (ctx: Context, settle: Settle) => Promise<unknown>,
  ) => Promise<unknown>
}
