/**
 * Names of private feeds, which only their owner sees. Every session for other people passes through
 * here. The address of a feed can contain a secret.
 */
import { ownSourceIds, publicSubfeed } from '../../../contract/sources.ts'
import type { Context } from '../../context.ts'

/** A session, a slide, or an object with neither kind of name. */
export type Named = {
  readonly subfeed?: string | null
  readonly subfeeds?: readonly string[]
  readonly fillError?: string | null
}

/** Sources with private names. The names of the site's first source have no prefix. */
const privateSources: ReadonlySet<string> = new Set(['rss', ...ownSourceIds])
const anyPrivateSource = [...privateSources].join('|')
/** Matches JSON that may contain a private feed name. Few sessions have one. */
const privateNames = new RegExp(`[[,:]"(?:${anyPrivateSource}):|[[,]"https?:|"subfeed":"https?:`)

/** Returns a session or slide with the public names of its feeds. */
export function withPublicNames<V extends Named>(ctx: Context, view: V): V {
  const { subfeed, subfeeds, fillError } = view
  const shown = subfeeds?.map((name) => publicName(ctx, name))
  const isPrivate = shown?.some((name, index) => name !== subfeeds?.[index]) ?? false
  return {
    ...view,
    ...(typeof subfeed === 'string' && { subfeed: publicName(ctx, subfeed) }),
    ...(shown && { subfeeds: [...new Set(shown)] }),
    // It names the feeds that failed.
    ...(fillError && isPrivate && { fillError: null }),
  }
}

/** Does the same in JSON from the database. */
export function withPublicNamesJson(ctx: Context, json: string): string {
  const mayHoldPrivate = privateSources.has(ctx.sources.first.name) || privateNames.test(json)
  if (!mayHoldPrivate) return json
  const shown: unknown = JSON.parse(json, (_, value: unknown) =>
    isNamed(value) ? withPublicNames(ctx, value) : value,
  )
  return JSON.stringify(shown)
}

export function publicName(ctx: Context, subfeed: string): string {
  return publicSubfeed(subfeed, ctx.sources.first.name)
}

function isNamed(value: unknown): value is Named {
  return typeof value === 'object' && value !== null && ('subfeed' in value || 'subfeeds' in value)
}
