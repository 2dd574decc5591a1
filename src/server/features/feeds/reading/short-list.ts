/** Parses a list of a remote site, cut to `most` before its items are checked. */
import { z } from 'zod'

export function shortList(most: number) {
  return z
    .custom<readonly unknown[]>((value) => Array.isArray(value))
    .transform((list) => list.slice(0, most))
}
