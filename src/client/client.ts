/**
 * The HTTP interface as typed functions, for browsers and Node: `client.accounts.currentUser()`. At run
 * time it needs only the address of each endpoint. The types come from the contract, so a browser loads
 * no schemas.
 */
import type { z } from 'zod'
import type { api } from '../contract/api.ts'
import type { Endpoint, Form } from '../contract/endpoint.ts'

export type Api = typeof api

/** The data that a call needs about its endpoint. The contract itself has this shape too. */
export type EndpointTable = {
  readonly [F in keyof Api]: { readonly [N in keyof Api[F]]: Pick<Endpoint, 'method' | 'path'> }
}

export type Client = {
  readonly [F in keyof Api]: {
    readonly [N in keyof Api[F]]: Api[F][N] extends Endpoint ? Caller<Api[F][N]> : never
  }
}

export type ClientOptions = {
  readonly baseUrl?: string
  readonly headers?: () => Record<string, string>
  readonly fetch?: typeof fetch
  /** Called with every response and the endpoint's name, before the caller gets it. */
  readonly observe?: (name: string, answer: AnswerReceived) => void
}

export type AnswerReceived = {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** A response with an error status. Its message is the sentence that the server sent. */
export class ApiProblem extends Error {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers

  constructor(answer: AnswerReceived) {
    super(sentenceOf(answer.body) ?? `The server answered ${answer.status}`)
    this.status = answer.status
    this.body = answer.body
    this.headers = answer.headers
  }
}

export type Caller<E extends Endpoint> =
  {} extends Parts<E>
    ? (input?: Parts<E> & Extras) => Promise<OutputOf<E>>
    : (input: Parts<E> & Extras) => Promise<OutputOf<E>>

type Extras = { readonly headers?: Record<string, string>; readonly signal?: AbortSignal }

type Parts<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  ContentPart<E>

/** The body of a call: JSON or a form. An endpoint may accept both, but a call sends one of them. */
type ContentPart<E extends Endpoint> = E extends { readonly form: infer F extends Form }
  ? E extends { readonly body: infer B extends z.ZodType }
    ? { readonly form: FormInput<F> } | { readonly body: z.input<B> }
    : { readonly form: FormInput<F> }
  : Part<'body', E['body']>

type FormInput<F extends Form> = {
  readonly [K in F['file']]?: Blob
} & (keyof F['fields']['shape'] extends never ? unknown : z.input<F['fields']>)

type Part<Name extends string, S> = S extends z.ZodType
  ? {} extends z.input<S>
    ? { readonly [K in Name]?: z.input<S> }
    : { readonly [K in Name]: z.input<S> }
  : {}

type OutputOf<E extends Endpoint> = E['answer'] extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : string

type AnyInput = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  form?: Record<string, unknown>
} & Extras

export function createClient(table: EndpointTable, options: ClientOptions = {}): Client {
  const groups = Object.entries<Record<string, Pick<Endpoint, 'method' | 'path'>>>(table)
  const features = groups.map(([feature, group]) => [
    feature,
    Object.fromEntries(
      Object.entries(group).map(([name, endpoint]) => [
        name,
        (input?: AnyInput) => call(`${feature}.${name}`, endpoint, input ?? {}, options),
      ]),
    ),
  ])
  return Object.fromEntries(features) as Client
}

/** The headers that open a shared session. Headers hold only Latin-1, so the password is encoded. */
export function shareHeaders(share: {
  readonly code?: string
  readonly password?: string | null
}): Record<string, string> {
  const { code, password = null } = share
  return {
    ...(code === undefined ? {} : { 'x-share-code': code }),
    ...(password === null ? {} : { 'x-share-password': encodeURIComponent(password) }),
  }
}

async function call(
  name: string,
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  input: AnyInput,
  options: ClientOptions,
): Promise<unknown> {
  const url = `${options.baseUrl ?? ''}${pathOf(endpoint.path, input.params)}${queryOf(input.query)}`
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...options.headers?.(),
    ...input.headers,
  }
  const response = await (options.fetch ?? fetch)(url, {
    method: endpoint.method,
    headers,
    // The caller decides whether to follow a redirect.
    redirect: 'manual',
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    ...(input.form === undefined ? {} : { body: formDataOf(input.form) }),
    ...(input.signal ? { signal: input.signal } : {}),
  })
  const answer = { status: response.status, headers: response.headers, body: await read(response) }
  options.observe?.(name, answer)
  // With `redirect: 'manual'`, browsers hide a redirect and report status 0.
  const succeeded = response.status < 400 || response.type === 'opaqueredirect'
  if (!succeeded) throw new ApiProblem(answer)
  return answer.body
}

function pathOf(path: string, params: Record<string, unknown> = {}): string {
  return path
    .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
    .replace('*', () => String(params['*']).split('/').map(encodeURIComponent).join('/'))
}

function queryOf(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** Puts text fields before files, because a server that streams a file must have read them by then. */
function formDataOf(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) if (!(value instanceof Blob)) form.append(name, String(value))
  for (const [name, value] of given) if (value instanceof Blob) form.append(name, value)
  return form
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return isJson ? JSON.parse(text) : text
}

function sentenceOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  if ('message' in body && typeof body.message === 'string') return body.message
  return 'error' in body && typeof body.error === 'string' ? body.error : undefined
}
