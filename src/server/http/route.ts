/** Connects an endpoint of the contract to its handler, with the types of both. */
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
  /** Makes the request cost its token, whatever the outcome. */
  readonly countToken: () => void
} & (E['who'] extends 'anyone' | 'signature'
  ? { readonly findUser: () => Promise<SignedInUser | null> }
  : { readonly user: E extends { openToGuests: true } ? SignedInUser | null : SignedInUser }) &
  (E extends { readonly price: string } ? { readonly settle: Settle } : unknown) &
  (E extends { readonly form: infer F extends Form } ? { readonly form: FormOf<F> } : unknown)

/** A form that is read whole if the contract sets a size for that, or else a stream of parts. */
type FormOf<F extends Form> = F extends { readonly inMemoryMaxBytes: number }
  ? FormRead<z.output<F['fields']>>
  : FormStream

export type FormStream = {
  /** True if the request is a form. */
  readonly isMultipart: boolean
  readonly parts: (options: { readonly maxFileBytes: number }) => AsyncIterable<FormPart>
}

export type Handler<E extends Endpoint> = (
  ctx: Context,
  call: Call<E>,
) => Promise<E extends { readonly price: string } ? Settled<BodyOf<E>> : Answered<E['answer']>>

/** A check that admits a caller or throws, before the body is read. */
export type Admit = (ctx: Context, caller: { readonly user: SignedInUser }) => Promise<void>

/**
 * A check that returns true if a caller without an account may make this request: it names a link that is
 * open to anyone, or the community is open to guests. The path parameters are not validated yet. The handler
 * checks a link's expiry and password.
 */
export type AdmitGuest = (
  ctx: Context,
  request: { readonly visitor: Visitor; readonly params: Readonly<Record<string, string>> },
) => Promise<boolean>

/**
 * A check that admits a request to this path or throws, before its sign-in is checked and anything else is
 * read. The path parameters are not validated yet.
 */
export type AdmitByPath = (
  ctx: Context,
  request: {
    readonly visitor: Visitor
    readonly params: Readonly<Record<string, string>>
    /** Returns the caller, or throws like an endpoint that needs a sign-in. */
    readonly requireUser: () => Promise<SignedInUser>
  },
) => Promise<void>

type Options = {
  readonly admit?: Admit
  /** The same as `admit`, but also before the limit. */
  readonly admitBeforeLimit?: Admit
  readonly admitGuest?: AdmitGuest
  readonly admitByPath?: AdmitByPath
  /** True if a replica may answer, whose data may be a moment old (`public-reads.ts`). */
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
