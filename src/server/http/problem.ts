/** The expected failures, thrown by their names in the contract: `throw problem.notFound()`. */
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

/** Returns a failure for a dependency that is down or overloaded. A retry in a moment may work. */
export function unavailable(message: string): Problem {
  return new Problem(failures.unavailable, { message }, { 'Retry-After': '3' })
}

type Thrower<F extends Failure> = keyof F['fields'] extends never
  ? () => Problem
  : (fields: FieldsOf<F>) => Problem

type Throwers = { readonly [Name in keyof typeof failures]: Thrower<(typeof failures)[Name]> }

// Object.fromEntries loses the relation between names and failures; the mapped type above restores it.
export const problem = Object.fromEntries(
  Object.entries(failures).map(([name, failure]) => [
    name,
    (fields?: Record<string, unknown>) => new Problem(failure, fields),
  ]),
) as unknown as Throwers
