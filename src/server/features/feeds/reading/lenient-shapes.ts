/** Schemas for answers of remote sites, which keep as much of an answer as is valid. */
import { z } from 'zod'

/** Treats missing, null and invalid values alike: one bad field does not drop the post. */
export const lenient = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null)

/** Parses a list, cut to `max` before its items are checked. */
export function shortList(max: number) {
  return z
    .custom<readonly unknown[]>((value) => Array.isArray(value))
    .transform((list) => list.slice(0, max))
}
