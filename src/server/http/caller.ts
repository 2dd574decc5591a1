/** Who is calling: what the request itself tells, and the account that it is signed in to. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { KeyScope } from '../../contract/key-scopes.ts'
import type { Context } from '../context.ts'
import type { Cookie, Settled } from './reply.ts'

export type Cookies = Readonly<Record<string, string | undefined>>

/** Who is calling, as far as the request itself tells. */
export type Visitor = {
  readonly ip: string
  readonly isLoopback: boolean
  /** On this machine, through local proxies at most. */
  readonly isLocal: boolean
  readonly userAgent: string | null
  /** None where the request comes with a key: it is the key's or nobody's. */
  readonly cookies: Cookies
  /** The key that the request comes with, valid or not. */
  readonly key: string | null
  readonly authorization: string | null
  /** A browser that navigates or submits a form, rather than a script. */
  readonly prefersHtml: boolean
  readonly header: (name: string) => string | null
}

export type SignedInUser = {
  readonly id: string
  readonly role: 'user' | 'admin' | 'super_admin'
  readonly isActive: boolean
  readonly ageVerified: boolean
  readonly referralCode: string
  /** What the key may do that the request came with; null for a browser, which may do everything. */
  readonly scopes: readonly KeyScope[] | null
  /** The cookie to set again, where this request has extended the sign-in. */
  readonly renewal: Cookie | null
}

/** Turns the work that has the effect into an answer; with a key, both are one transaction. */
export type Settle = <Body>(work: (ctx: Context) => Promise<Body>) => Promise<Settled<Body>>

export type PaidCall = {
  readonly user: { readonly id: string }
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly form?: object
}

/** What HTTP asks of the features that know accounts and credits. */
export type Callers = {
  readonly findSignedInUser: (ctx: Context, cookies: Cookies) => Promise<SignedInUser | null>
  readonly findKeyHolder: (
    ctx: Context,
    key: string,
    visitor: Visitor,
  ) => Promise<SignedInUser | null>
  /** Answers a paid call by its Idempotency-Key. */
  readonly answerOnce: (
    ctx: Context,
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    call: PaidCall,
    handle: (ctx: Context, settle: Settle) => Promise<unknown>,
  ) => Promise<unknown>
}
