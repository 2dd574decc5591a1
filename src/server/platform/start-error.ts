/** A reason not to start that an operator can fix. It is printed as one line, without a stack. */
export class StartError extends Error {}

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
