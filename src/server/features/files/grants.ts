/**
 * What others are given of somebody's files: addresses that belong to a grant (a link, a public
 * session) and end with it. The owner's own never leave for anybody else.
 */
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import type { Grant } from '../../http/media/media-url.ts'
import { anyOwnPlace, grantMediaUrl, mediaUrlOf, signMediaUrl } from '../../http/media/media-url.ts'
import { addressOnThisSite, pathOnThisSite } from './media-source.ts'
import type { Named } from './private-names.ts'
import { withPublicNames, withPublicNamesJson } from './private-names.ts'

// Some megabytes. Signing costs most of what it takes to give a session to somebody else.
const mostKnown = 10_000
const longestKnown = 400
const isOwned = new RegExp(`/media/${anyOwnPlace}/`)
const ownedFields = new RegExp(
  `"(mediaUrl|thumbnail|320|640|1280|1920)":"([^"\\\\]*/media/${anyOwnPlace}/[^"\\\\]*)"`,
  'g',
)
const memories = new WeakMap<Config, Map<string, string>>()

/**
 * An address of a session as others are given it. What is not the owner's own stays as it is: other
 * sites, what was published, and what was itself given by a grant and ends with that.
 */
export function grantedAddress(ctx: Context, grant: Grant, address: string): string {
  if (!isOwned.test(address)) return address
  // People can write long ones, and fill the memory with them.
  if (address.length > longestKnown) return signAddress(ctx, grant, address)
  const known = knownAddresses(ctx)
  const key = `${grant} ${address}`
  const before = known.get(key)
  if (before !== undefined) return before
  const given = signAddress(ctx, grant, address)
  if (known.size >= mostKnown) known.clear()
  known.set(key, given)
  return given
}

function signAddress(ctx: Context, grant: Grant, address: string): string {
  const path = pathOnThisSite(ctx, address)
  const written = path === null ? null : grantMediaUrl(ctx.config.sessionSecrets, grant, path)
  if (written !== null) return written
  // Not as we write it.
  const known = addressOnThisSite(ctx, address)
  const isOwners = known?.grant === null && known.file.bucket === 'user-media'
  return isOwners ? mediaUrlOf(ctx, known.file, grant) : address
}

/** A slide, or a session, as others are given it: its addresses, and the names of its feeds. */
export function grantedView<
  V extends {
    readonly thumbnail: string | null
    readonly mediaUrl?: string | null
    readonly sizes?: Readonly<Record<string, string | undefined>> | null
  } & Named,
>(ctx: Context, grant: Grant, view: V): V {
  const { thumbnail, mediaUrl, sizes } = view
  const granted = (address: string) => grantedAddress(ctx, grant, address)
  return {
    ...withPublicNames(ctx, view),
    thumbnail: thumbnail === null ? null : granted(thumbnail),
    ...(mediaUrl === undefined || mediaUrl === null ? {} : { mediaUrl: granted(mediaUrl) }),
    ...(sizes && {
      sizes: Object.fromEntries(
        Object.entries(sizes).map(([width, address]) => [width, address && granted(address)]),
      ),
    }),
  }
}

/** The same within JSON that the database has written, where no user's text can pass for a field. */
export function grantedJson(ctx: Context, grant: Grant, json: string): string {
  return withPublicNamesJson(ctx, json).replaceAll(
    ownedFields,
    (_, field: string, address: string) =>
      // Nothing in it needs an escape: what has one is matched by no field.
      `"${field}":"${grantedAddress(ctx, grant, address)}"`,
  )
}

/** The owner's address of the same file; another site's stays as it is. */
export function ownersAddress(ctx: Context, address: string): string {
  const known = addressOnThisSite(ctx, address)
  return known ? mediaUrlOf(ctx, known.file) : address
}

/** As sessions may hold it: those that were made before a secret was changed have it by that one. */
export function ownersAddresses(ctx: Context, address: string): string[] {
  const known = addressOnThisSite(ctx, address)
  if (!known) return [address]
  return ctx.config.sessionSecrets.map((secret) =>
    signMediaUrl({ secrets: [secret], ...known.file }),
  )
}

function knownAddresses({ config }: Context): Map<string, string> {
  let known = memories.get(config)
  if (!known) memories.set(config, (known = new Map()))
  return known
}
