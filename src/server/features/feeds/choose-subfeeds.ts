/** The one place where names become the subfeeds that a session holds or a reader browses. */
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../http/problem.ts'
import type { Subfeed } from './subfeed-names.ts'
import { readSubfeed, SubfeedRefused } from './subfeed-names.ts'

/** As sessions hold them, each once. Refuses what names no source of this site, before anything is charged. */
export function chooseSubfeeds(ctx: Context, names: readonly string[]): string[] {
  const written = names.map((name) => {
    try {
      return findSubfeed(ctx, name).written
    } catch (error) {
      if (!(error instanceof SubfeedRefused)) throw error
      const message = `Validation failed: subfeeds: ${name} ${error.message}`
      throw new Problem(problems.validationFailed, { message })
    }
  })
  return [...new Set(written)]
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
