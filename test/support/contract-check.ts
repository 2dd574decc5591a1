/**
 * Validates every response that a test receives against the contract: a success must match its schema
 * exactly, a failure must be declared by the endpoint. Each observed case is recorded as evidence, so that a
 * later test can find promises of the contract that no test has covered.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { AnswerReceived } from '../../src/client/client.ts'
import { endpoints, failures } from '../../src/contract/api.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { failuresOf } from '../../src/contract/endpoint.ts'
import type { Failure } from '../../src/contract/failure.ts'
import { problems } from '../../src/contract/problems.ts'

export const evidenceFolder = new URL('../../.cache/evidence/', import.meta.url)

const seen = new Set<string>()

/** Returns the cases that this process has observed, and all cases of the contract. */
export function promisesSeen(): { seen: ReadonlySet<string>; promised: readonly string[] } {
  const promised = endpoints.flatMap(({ name, endpoint }) => [
    `${name} success`,
    ...failuresOf(endpoint).map((failure) => `${name} ${failureName(failure)}`),
  ])
  return { seen, promised: [...new Set(promised)] }
}

export function checkAnswer(name: string, answer: AnswerReceived): void {
  const endpoint = endpointCalled(name)
  if (answer.status === endpoint.answer.status) return checkSuccess(name, endpoint, answer)
  const fitting = new Set(
    failuresOf(endpoint).filter(
      (failure) => failure.status === answer.status && isExactly(failure.body, answer.body),
    ),
  )
  const [failure, ...others] = [...fitting].map(failureName)
  if (failure === undefined) throw new UndeclaredAnswer(name, answer)
  // A response that matches two failures would count as evidence for one that never occurred.
  if (others.length > 0)
    throw new Error(
      `${name} declares what nobody can tell apart: ${[failure, ...others].join(', ')}`,
    )
  witness(`${name} ${failure}`)
}

/**
 * Validates a response to a request without the typed client. The caller still needs the body, perhaps as a
 * stream, so this reads only JSON.
 */
export async function checkResponse(
  method: string,
  url: string,
  response: Response,
): Promise<void> {
  const name = endpointAt(method, new URL(url).pathname)
  if (name === null) return
  const { status, headers } = response
  // Not modified: the client has the body already.
  if (status === 304) return
  const isJson = headers.get('content-type')?.startsWith('application/json')
  const body: unknown = isJson ? await response.clone().json() : ''
  const declared = failuresOf(endpointCalled(name))
  const isOfAnyRequest = ofAnyRequest.some(
    (failure) =>
      !declared.includes(failure) && failure.status === status && isExactly(failure.body, body),
  )
  if (!isOfAnyRequest) checkAnswer(name, { status, headers, body })
}

/** Records that a page has called an endpoint successfully. */
export function witnessPageCall(method: string, url: string, status: number): void {
  const name = status < 400 ? endpointAt(method, new URL(url).pathname) : null
  if (name !== null) witness(pageCall(name))
}

export function pageCall(name: string): string {
  return `${name} by a page`
}

/** Failures that occur before an endpoint is reached, or on any error. No endpoint declares them. */
const ofAnyRequest: readonly Failure[] = [
  problems.badRequest,
  problems.unknownHost,
  problems.tooLarge,
  problems.unsupportedMediaType,
  problems.internal,
  problems.unavailable,
]

export function failureName(failure: Failure): string {
  const entry = Object.entries<Failure>(failures).find(([, candidate]) => candidate === failure)
  if (!entry) throw new Error(`a failure with status ${failure.status} is not in \`failures\``)
  return entry[0]
}

/** The log of a tested service. It keeps only the last error, which a response does not contain. */
export const lastError = {
  line: '',
  write(line: string) {
    lastError.line = line
  },
}

class UndeclaredAnswer extends Error {
  constructor(name: string, { status, body }: AnswerReceived) {
    const answer = `${status} ${JSON.stringify(body)}`
    const cause = status >= 500 ? `; the last error was ${lastError.line}` : ''
    super(`${name} answered what the contract does not declare: ${answer}${cause}`)
  }
}

function checkSuccess(name: string, { answer }: Endpoint, received: AnswerReceived): void {
  if (answer.kind === 'json' && !isExactly(answer.body, received.body))
    throw new UndeclaredAnswer(name, received)
  witness(`${name} success`)
}

function endpointCalled(name: string): Endpoint {
  const entry = endpoints.find((candidate) => candidate.name === name)
  if (!entry) throw new Error(`${name} is not in the contract`)
  return entry.endpoint
}

/** Finds the endpoint of a path. An exact path wins over one with parameters. */
function endpointAt(method: string, pathname: string): string | null {
  const fitting = patterns.filter(
    (candidate) => candidate.method === method && candidate.pattern.test(pathname),
  )
  const [nearest] = fitting.toSorted((one, other) => one.parameters - other.parameters)
  return nearest?.name ?? null
}

const patterns = endpoints.map(({ name, endpoint: { method, path } }) => ({
  name,
  method,
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replace('*', '.+')}$`),
  parameters: path.split(/[:*]/).length - 1,
}))

/**
 * Returns true for an exact match: schemas drop unknown keys, so a body with undeclared keys differs from its
 * parsed form.
 */
function isExactly(schema: z.ZodType, body: unknown): boolean {
  const parsed = schema.safeParse(body)
  return parsed.success && isDeepStrictEqual(parsed.data, body)
}

function witness(line: string): void {
  if (seen.has(line)) return
  seen.add(line)
  mkdirSync(evidenceFolder, { recursive: true })
  appendFileSync(new URL(`${process.pid}.txt`, evidenceFolder), `${line}\n`)
}
