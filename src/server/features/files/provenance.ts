/** Remembers what was copied or made from what, so that a takedown finds every derivative. */
import type { Context } from '../../context.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { insertOrigins } from './queries.ts'
import type { FileCopy } from './unclaimed-files.ts'

/** In the transaction that names the made file. */
export function recordOrigins(
  ctx: Context,
  made: FileAddress,
  origins: readonly FileAddress[],
): Promise<void> {
  return insertOrigins(
    ctx,
    origins.map((origin) => ({ made, origin })),
  )
}

/** The same for many files at once, each copied from one other. */
export function recordCopies(ctx: Context, copies: readonly FileCopy[]): Promise<void> {
  return insertOrigins(
    ctx,
    copies.map(({ from, to }) => ({ made: to, origin: from })),
  )
}
