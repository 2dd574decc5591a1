/**
 * Loads the demo: a feed of painted pictures, a caption writer and the first sessions of a fresh checkout.
 * The demo is a folder beside `src/` that the production image does not contain, so the rest of the server
 * knows only its type.
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
    /** The demo, if it is the site's feed. */
    readonly demo: Demo | null
  }
}

export type Demo = {
  readonly feed: FeedSource
  readonly captions: CaptionProvider
  /** Serves the files that the feed's addresses point to. */
  mount(app: FastifyInstance): void
  /** Creates sessions, in the transaction that creates the account. */
  giveSessions(ctx: Context, userId: string): Promise<void>
  publishSessions(ctx: Context, userId: string): Promise<void>
  /** Creates the first session of a new account, in the transaction of its first sign-in. */
  giveOpening(ctx: Context, userId: string): Promise<void>
  /** Paints the pictures that a visitor of a fresh site sees first. Stops early at the signal. */
  paintFirst(options: { readonly signal: AbortSignal }): Promise<void>
  close(): Promise<void>
}

export type OpenDemo = (outside: {
  readonly dataDir: string
  readonly now: () => Date
  readonly log: Pick<Log, 'info' | 'warn'>
}) => Demo

/** Returns null if no setting uses the demo. In production the settings refuse it. */
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
