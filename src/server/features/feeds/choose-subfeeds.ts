/** Turns names into subfeeds for sessions and readers. No other code does this. */
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { requireScope } from '../../http/access.ts'
import type { SignedInUser } from '../../http/caller.ts'
import { Problem, problem } from '../../http/problem.ts'
import { mayUseFolders } from '../folders/folders.ts'
import type { FeedSource } from './feed-source.ts'
import type { Subfeed } from './subfeed-names.ts'
import { readSubfeed, SubfeedRefused } from './subfeed-names.ts'

type Chooser = {
  readonly id: string
  readonly role: SignedInUser['role'] | null
  readonly scopes?: SignedInUser['scopes']
}

/**
 * Returns the subfeeds in stored spelling, each once. Throws when a name has no source on this site,
 * before anything is charged.
 */
export async function chooseSubfeeds(
  ctx: Context,
  names: readonly string[],
  user: Chooser,
): Promise<string[]> {
  const offered = sourcesFor(ctx, user.role)
  const chosen = names.map((name) => {
    try {
      return findSubfeed(ctx, name, offered)
    } catch (error) {
      if (!(error instanceof SubfeedRefused)) throw error
      const message = `Validation failed: subfeeds: ${name} ${error.message}`
      throw new Problem(problems.validationFailed, { message })
    }
  })
  for (const source of new Set(chosen.map(({ source }) => source))) {
    if (source === 'vault') requireScope(user, 'media:read')
    await refuseUnconnected(ctx, user.id, source)
  }
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

/** Returns the sources that a person with this role may choose. */
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
