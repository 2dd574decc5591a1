/** The one place where names become the subfeeds that a session holds or a reader browses. */
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import type { SignedInUser } from '../../http/caller.ts'
import { Problem } from '../../http/problem.ts'
import { mayUseFolders } from '../folders/folders.ts'
import type { FeedSource } from './feed-source.ts'
import type { Subfeed } from './subfeed-names.ts'
import { readSubfeed, SubfeedRefused } from './subfeed-names.ts'

/** As sessions hold them, each once. Refuses what names no source of this site, before anything is charged. */
export function chooseSubfeeds(
  ctx: Context,
  names: readonly string[],
  role: SignedInUser['role'] | null,
): string[] {
  const offered = sourcesFor(ctx, role)
  const written = names.map((name) => {
    try {
      return findSubfeed(ctx, name, offered).written
    } catch (error) {
      if (!(error instanceof SubfeedRefused)) throw error
      const message = `Validation failed: subfeeds: ${name} ${error.message}`
      throw new Problem(problems.validationFailed, { message })
    }
  })
  return [...new Set(written)]
}

/** Those that somebody of this role may choose. */
export function sourcesFor(
  { sources, config }: Context,
  role: SignedInUser['role'] | null,
): readonly FeedSource[] {
  if (mayUseFolders(config, role)) return sources.offered
  return sources.offered.filter(({ name }) => name !== 'folder')
}

/** Throws `SubfeedRefused`. */
export function findSubfeed(
  ctx: Context,
  name: string,
  offered: readonly FeedSource[] = ctx.sources.offered,
): Subfeed {
  const { first } = ctx.sources
  return readSubfeed(name, {
    first: first.name,
    offered: offered.map((source) => source.name),
    fetchAllow: ctx.config.fetchAllow,
  })
}
