/** The one place where names become the subfeeds that a session holds or a reader browses. */
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { Problem, problem } from '../../http/problem.ts'
import type { Subfeed } from './subfeed-names.ts'
import { readSubfeed, SubfeedRefused } from './subfeed-names.ts'

/** As sessions hold them, each once. Refuses what names no source of this site, before anything is charged. */
export async function chooseSubfeeds(
  ctx: Context,
  userId: string,
  names: readonly string[],
): Promise<string[]> {
  const chosen = names.map((name) => {
    try {
      return findSubfeed(ctx, name)
    } catch (error) {
      if (!(error instanceof SubfeedRefused)) throw error
      const message = `Validation failed: subfeeds: ${name} ${error.message}`
      throw new Problem(problems.validationFailed, { message })
    }
  })
  for (const source of new Set(chosen.map(({ source }) => source)))
    await refuseUnconnected(ctx, userId, source)
  return [...new Set(chosen.map(({ written }) => written))]
}

async function refuseUnconnected(
  ctx: Context,
  userId: string,
  id: Subfeed['source'],
): Promise<void> {
  const connection = ctx.sources.find(id)?.connection
  if (!connection || (await connection.exists(userId))) return
  throw problem.connectionRequired({ message: connection.request })
}

/** Throws `SubfeedRefused`. */
export function findSubfeed(ctx: Context, name: string): Subfeed {
  const { first, offered } = ctx.sources
  return readSubfeed(name, {
    first: first.name,
    offered: offered.map((source) => source.name),
    fetchAllow: ctx.config.fetchAllow,
  })
}
