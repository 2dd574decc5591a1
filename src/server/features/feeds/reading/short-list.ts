/** A list of another site, cut before anything in it is looked at. */
import { z } from 'zod'

export function shortList(most: number) {
  return z
    .custom<readonly unknown[]>((value) => Array.isArray(value))
    .transform((list) => list.slice(0, most))
}
