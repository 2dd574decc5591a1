/**
 * Holds every answer that a test receives against the contract: a success must be exactly what its
 * schema says, a failure one that the endpoint declares. What was seen is kept as evidence, so that
 * a later test can tell which promises of the contract no test has seen kept.
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

/** What this process has seen of the contract so far, and all that it promises. */
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
  // An answer that could be either of two would be the evidence of one that nobody has ever seen.
  if (others.length > 0)
    throw new Error(
      `${name} declares what nobody can tell apart: ${[failure, ...others].join(', ')}`,
    )
  witness(`${name} ${failure}`)
}

/**
 * The same for a request that was made past the typed client. Its body is still to be read by the
 * caller, who may want it as it arrives, so only JSON is read here.
 */
export async function checkResponse(
  method: string,
  url: string,
  response: Response,
): Promise<void> {
  const name = endpointAt(method, new URL(url).pathname)
  if (name === null) return
  const { status, headers } = response
  // A success whose body the caller has already.
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

/** A page has called it and was not refused. */
export function witnessPageCall(method: string, url: string, status: number): void {
  const name = status < 400 ? endpointAt(method, new URL(url).pathname) : null
  if (name !== null) witness(pageCall(name))
}

export function pageCall(name: string): string {
  return `${name} by a page`
}

/** What answers before an endpoint is asked, or when all of it is broken; no endpoint declares it. */
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

/** The log of a service under test: silent, but for what an answer of ours cannot say. */
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

/** By its whole address, before one that has a parameter in the same place. */
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

/** Schemas drop what they do not know, so an answer with undeclared keys comes out smaller. */
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
