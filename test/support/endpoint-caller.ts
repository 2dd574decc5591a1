/** Calls an endpoint of the contract by its name, with valid or invalid input, and validates the response. */
import type { AnswerReceived } from '../../src/client/client.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { checkAnswer } from './contract-check.ts'
import type { Person } from './world.ts'

export type NamedEndpoint = { readonly name: string; readonly endpoint: Endpoint }

export type CallOptions = {
  readonly headers?: Record<string, string>
  /** Sent unchanged. */
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  readonly query?: string
  /** The value of every path parameter that `params` does not contain. */
  readonly param?: string
  readonly params?: Readonly<Record<string, string>>
}

export async function callEndpoint(
  person: Person,
  { name, endpoint }: NamedEndpoint,
  options: CallOptions = {},
): Promise<AnswerReceived> {
  const { params = {}, param = '1' } = options
  const path = endpoint.path
    .replaceAll(/:(\w+)/g, (_, parameter: string) => encodeURIComponent(params[parameter] ?? param))
    .replace('*', params['*'] ?? '*')
  const response = await person.fetch(`${path}${options.query ?? ''}`, {
    method: endpoint.method,
    headers: {
      accept: 'application/json',
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: options.body, duplex: 'half' }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const answer = {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  }
  checkAnswer(name, answer)
  return answer
}
