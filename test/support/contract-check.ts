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

export const evidenceFolder = new URL('../../.cache/evidence/', import.meta.url)

const seen = new Set<string>()

export function checkAnswer(name: string, answer: AnswerReceived): void {
  const endpoint = endpointCalled(name)
  if (answer.status === endpoint.answer.status) return checkSuccess(name, endpoint, answer)
  const declared = failuresOf(endpoint).filter(
    (failure) => failure.status === answer.status && isExactly(failure.body, answer.body),
  )
  if (declared.length === 0) throw new UndeclaredAnswer(name, answer)
  for (const failure of declared) witness(`${name} ${failureName(failure)}`)
}

export function failureName(failure: Failure): string {
  const entry = Object.entries<Failure>(failures).find(([, candidate]) => candidate === failure)
  if (!entry) throw new Error(`a failure with status ${failure.status} is not in \`failures\``)
  return entry[0]
}

class UndeclaredAnswer extends Error {
  constructor(name: string, { status, body }: AnswerReceived) {
    super(`${name} answered what the contract does not declare: ${status} ${JSON.stringify(body)}`)
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
