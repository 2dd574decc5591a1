/** The expected failures, each thrown by its name in the contract: `throw problem.notFound()`. */
import { failures } from '../../contract/api.ts'
import type { Failure, FieldsOf } from '../../contract/failure.ts'

export class Problem extends Error {
  readonly failure: Failure
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    failure: Failure,
    fields: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${failure.status} ${JSON.stringify(failure.fixed)}`)
    this.failure = failure
    this.body = { ...failure.fixed, ...fields }
    this.headers = headers
  }
}

/** What a call needs is away or has too much to do; worth trying again in a moment. */
export function unavailable(message: string): Problem {
  return new Problem(failures.unavailable, { message }, { 'Retry-After': '3' })
}

type Thrower<F extends Failure> = keyof F['fields'] extends never
  ? () => Problem
  : (fields: FieldsOf<F>) => Problem

type Throwers = { readonly [Name in keyof typeof failures]: Thrower<(typeof failures)[Name]> }

// Object.fromEntries forgets which name has which failure; the mapped type above says it again.
export const problem = Object.fromEntries(
  Object.entries(failures).map(([name, failure]) => [
    name,
    (fields?: Record<string, unknown>) => new Problem(failure, fields),
  ]),
) as unknown as Throwers
