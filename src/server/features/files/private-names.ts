/**
 * Names of private feeds, which only their owner sees: whatever is shown of a session to others passes
 * here. The address of a feed may hold a secret.
 */
import { ownSourceIds, publicSubfeed } from '../../../contract/sources.ts'
import type { Context } from '../../context.ts'

/** A session, a slide, or something that holds neither. */
export type Named = {
  readonly subfeed?: string | null
  readonly subfeeds?: readonly string[]
  readonly fillError?: string | null
}

/** Whether anything in JSON begins like a name that others may not see: few sessions have one. */
const privateNames = /[[,:]"(?:rss|immich|folder|vault):|[[,]"https?:|"subfeed":"https?:/
const unprefixed: ReadonlySet<string> = new Set(['rss', ...ownSourceIds])

/** A session or slide with the names of its feeds as others see them. */
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

/** The same within JSON that the database has written. */
export function withPublicNamesJson(ctx: Context, json: string): string {
  const mayHoldPrivate = unprefixed.has(ctx.sources.first.name) || privateNames.test(json)
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
