/**
 * The one way to the demo: a feed of painted pictures, a narrator and the first sessions of a fresh
 * checkout. It is a folder beside `src/` that the production image does not have, so the rest of the
 * server knows only the type of what is opened here.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config/config.ts'
import { SettingError } from './config/setting.ts'
import { settings } from './config/settings.ts'
import type { Context } from './context.ts'
import type { CaptionProvider } from './features/captions/provider/caption-provider.ts'
import type { FeedSource } from './features/feeds/feed-source.ts'
import type { Replacements } from './open-context.ts'
import type { Log } from './platform/log.ts'

declare module './context.ts' {
  interface Context {
    /** Where the feed is the demo's. */
    readonly demo: Demo | null
  }
}

export type Demo = {
  readonly feed: FeedSource
  readonly captions: CaptionProvider
  /** Serves the files that the feed's addresses lead to. */
  mount(app: FastifyInstance): void
  /** In the transaction that makes the account. */
  giveSessions(ctx: Context, userId: string): Promise<void>
  publishSessions(ctx: Context, userId: string): Promise<void>
  /** The session that any new account begins with; in the transaction of its first sign-in. */
  giveOpening(ctx: Context, userId: string): Promise<void>
  /** Paints what a visitor of a fresh site sees first; ends early at the signal. */
  paintFirst(options: { readonly signal: AbortSignal }): Promise<void>
  close(): Promise<void>
}

export type OpenDemo = (outside: {
  readonly dataDir: string
  readonly now: () => Date
  readonly log: Pick<Log, 'info' | 'warn'>
}) => Demo

/** Null where no setting asks for it; never asked for in production, where settings refuse it. */
export async function loadDemo(
  config: Config,
  replacements: Pick<Replacements, 'feed' | 'captions'>,
  outside: { readonly now: () => Date; readonly log: Log },
): Promise<Demo | null> {
  const setting = settingThatAsks(config, replacements)
  if (!setting) return null
  const entry = new URL('../../demo/demo.ts', import.meta.url)
  if (!existsSync(fileURLToPath(entry)))
    throw new SettingError(setting.name, "cannot be 'demo': the folder 'demo' is not installed")
  const { openDemo } = (await import(entry.href)) as { readonly openDemo: OpenDemo }
  return openDemo({ dataDir: config.dataDir, ...outside })
}

function settingThatAsks(
  config: Config,
  { feed, captions }: Pick<Replacements, 'feed' | 'captions'>,
) {
  if (!feed && config.feed.ids.includes('demo')) return settings.feed
  return !captions && config.captions.kind === 'demo' ? settings.captions : null
}
