/** Ties an endpoint of the contract to the function that answers it, with the types of both. */
import type { z } from 'zod'
import type { Answer, Endpoint, Form } from '../../contract/endpoint.ts'
import type { Context } from '../context.ts'
import type { FormPart, FormRead } from './bodies/form.ts'
import type { Settle, SignedInUser, Visitor } from './caller.ts'
import type {
  EventStream,
  FileStream,
  JsonText,
  NotModified,
  Redirect,
  Reply,
  Settled,
} from './reply.ts'

export type Call<E extends Endpoint> = {
  readonly visitor: Visitor
  readonly params: Parsed<E['params']>
  readonly query: Parsed<E['query']>
  readonly body: Parsed<E['body']>
  /** The request costs its token, whatever the answer. */
  readonly countToken: () => void
} & (E['who'] extends 'anyone' | 'signature'
  ? { readonly findUser: () => Promise<SignedInUser | null> }
  : { readonly user: E extends { openToLinks: true } ? SignedInUser | null : SignedInUser }) &
  (E extends { readonly price: string } ? { readonly settle: Settle } : unknown) &
  (E extends { readonly form: infer F extends Form } ? { readonly form: FormOf<F> } : unknown)

/** Read whole where the contract says up to which size, else a stream of parts. */
type FormOf<F extends Form> = F extends { readonly inMemoryMaxBytes: number }
  ? FormRead<z.output<F['fields']>>
  : FormStream

export type FormStream = {
  /** Whether the request is a form at all. */
  readonly isMultipart: boolean
  readonly parts: (options: { readonly maxFileBytes: number }) => AsyncIterable<FormPart>
}

export type Handler<E extends Endpoint> = (
  ctx: Context,
  call: Call<E>,
) => Promise<E extends { readonly price: string } ? Settled<BodyOf<E>> : Answered<E['answer']>>

/** Lets a caller in or throws, before anything of what they send is read. */
export type Admit = (ctx: Context, caller: { readonly user: SignedInUser }) => Promise<void>

/**
 * Whether the request names a link that is open to anyone, so that no account is needed. The path's
 * parameters are as they were sent; the link's end and its password are the handler's to judge.
 */
export type AdmitByLink = (
  ctx: Context,
  request: { readonly visitor: Visitor; readonly params: Readonly<Record<string, string>> },
) => Promise<boolean>

/**
 * Lets a request to this path in or throws, before its sign-in is asked for and anything else of it
 * is read. The path's parameters are as they were sent.
 */
export type AdmitByPath = (
  ctx: Context,
  request: {
    readonly visitor: Visitor
    readonly params: Readonly<Record<string, string>>
    /** Whose request it is, or throws as an endpoint does that needs a sign-in. */
    readonly requireUser: () => Promise<SignedInUser>
  },
) => Promise<void>

type Options = {
  readonly admit?: Admit
  /** As `admit`, but before the limit too. */
  readonly admitBeforeLimit?: Admit
  readonly admitByLink?: AdmitByLink
  readonly admitByPath?: AdmitByPath
  /** May be answered by a replica, a moment late for all but who has just written (`public-reads.ts`). */
  readonly isPublicRead?: boolean
}

export type Route = Options & {
  readonly endpoint: Endpoint
  readonly handle: (ctx: Context, call: never) => Promise<unknown>
}

export function route<E extends Endpoint>(
  endpoint: E,
  handle: Handler<E>,
  options: Options = {},
): Route {
  return { endpoint, handle, ...options }
}

type BodyOf<E extends Endpoint> = E['answer'] extends { body: infer B extends z.ZodType }
  ? z.input<B>
  : never

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

type Answered<A extends Answer> = A extends { kind: 'json'; body: infer B extends z.ZodType }
  ? z.input<B> | Reply<z.input<B>> | JsonText | NotModified
  : A extends { kind: 'redirect' }
    ? Redirect
    : A extends { kind: 'stream' }
      ? EventStream | FileStream
      : string
