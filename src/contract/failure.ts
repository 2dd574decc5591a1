/**
 * Expected failures as sent to clients: a status, fixed fields and variable fields. Endpoints declare their
 * failures with these; the server can throw no others.
 */
import { z } from 'zod'

type Words = Readonly<Record<string, string | boolean>>

export type Failure<Fixed extends Words = Words, Fields extends z.ZodRawShape = z.ZodRawShape> = {
  readonly status: number
  readonly fixed: Fixed
  readonly fields: Fields
  readonly body: z.ZodObject
}

/** The part of a failure's body that the thrower supplies. */
export type FieldsOf<F extends Failure> = z.input<z.ZodObject<F['fields']>>

/** Declares a failure whose body has the fixed words and, if any, the variable fields. */
export function failure<const Fixed extends Words, Fields extends z.ZodRawShape>(
  status: number,
  fixed: Fixed,
  fields: Fields,
): Failure<Fixed, Fields> {
  const words = Object.entries(fixed).map(([key, value]) => [key, z.literal(value)])
  return { status, fixed, fields, body: z.object({ ...Object.fromEntries(words), ...fields }) }
}

/** Declares a failure of the common form: a status and one sentence. */
export function sentence<const Message extends string>(status: number, message: Message) {
  return failure(status, { message }, {})
}
