/** The sources that a site offers, in their order. */
import type { SourceId } from '../../../contract/sources.ts'
import type { ImmichServer } from './adapters/immich-server.ts'
import type { FeedSource } from './feed-source.ts'
import { createOffSource } from './feed-source.ts'

declare module '../../context.ts' {
  interface Context {
    readonly sources: Sources
  }
}

export type Sources = {
  /** The source whose names need no prefix. On a site without sources, it refuses every request. */
  readonly first: FeedSource
  readonly offered: readonly FeedSource[]
  find(id: SourceId | 'off'): FeedSource | null
  /** The Immich server that people connect to. */
  readonly immich: ImmichServer | null
}

/** Collects the sources; `own` follow those that the configuration names. */
export function gatherSources(
  named: readonly FeedSource[],
  own: readonly FeedSource[],
  immich: ImmichServer | null,
): Sources {
  const first = named[0] ?? createOffSource()
  const offered = [...new Set([...named, ...own])]
  const known = new Map([first, ...offered].map((source) => [source.name, source]))
  return { first, offered, find: (id) => known.get(id) ?? null, immich }
}

/** Texts that clients show to help people choose a source. */
export const sourceWords: Record<SourceId, { name: string; example: string }> = {
  demo: { name: 'Demo', example: 'mountainlight' },
  reddit: { name: 'Reddit', example: 'itookapicture' },
  lemmy: { name: 'Lemmy', example: 'pics@lemmy.world' },
  mastodon: { name: 'Mastodon and Pixelfed', example: '#photography@mastodon.social' },
  bluesky: { name: 'Bluesky', example: '@bsky.app' },
  rss: { name: 'RSS, Atom or JSON Feed', example: 'https://www.nasa.gov/feeds/iotd-feed/' },
  commons: { name: 'Wikimedia Commons', example: 'Quality images of lakes' },
  immich: { name: 'Immich', example: 'album/Summer' },
  folder: { name: 'Folders of this site', example: 'holidays/2024' },
  vault: { name: 'Your vault', example: 'favorites' },
}
