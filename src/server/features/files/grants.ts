/**
 * Addresses of a user's files for other people. They belong to an access grant (a link, a public
 * session) and end with it. Other people never get the owner's own addresses.
 */
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import type { Grant } from '../../http/media/media-url.ts'
import {
  anyOwnedBucket,
  grantMediaUrl,
  mediaUrlOf,
  signMediaUrl,
} from '../../http/media/media-url.ts'
import { addressOnThisSite, pathOnThisSite } from './media-source.ts'
import type { Named } from './private-names.ts'
import { withPublicNames, withPublicNamesJson } from './private-names.ts'

// A few megabytes. Signing takes most of the time of sending a session to other people.
const maxKnown = 10_000
const longestKnown = 400
const isOwned = new RegExp(`/media/${anyOwnedBucket}/`)
const ownedFields = new RegExp(
  `"(mediaUrl|thumbnail|320|640|1280|1920)":"([^"\\\\]*/media/${anyOwnedBucket}/[^"\\\\]*)"`,
  'g',
)
const memories = new WeakMap<Config, Map<string, string>>()

/**
 * Returns an address of a session for other people. Addresses of other sites, of publications, and
 * addresses that already belong to a grant stay as they are.
 */
export function grantedAddress(ctx: Context, grant: Grant, address: string): string {
  if (!isOwned.test(address)) return address
  // Users can write long addresses, which would fill the memory.
  if (address.length > longestKnown) return signAddress(ctx, grant, address)
  const known = knownAddresses(ctx)
  const key = `${grant} ${address}`
  const before = known.get(key)
  if (before !== undefined) return before
  const given = signAddress(ctx, grant, address)
  if (known.size >= maxKnown) known.clear()
  known.set(key, given)
  return given
}

function signAddress(ctx: Context, grant: Grant, address: string): string {
  const path = pathOnThisSite(ctx, address)
  const written = path === null ? null : grantMediaUrl(ctx.config.sessionSecrets, grant, path)
  if (written !== null) return written
  // The address is not written in our form.
  const known = addressOnThisSite(ctx, address)
  const isOwners = known?.grant === null && known.file.bucket === 'user-media'
  return isOwners ? mediaUrlOf(ctx, known.file, grant) : address
}

/** Returns a slide or a session for other people: with granted addresses and public feed names. */
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

/**
 * Returns the addresses of a published picture's sizes for guests of the community, by width. Other views
 * leave addresses of publications as they are.
 */
export function grantedSizes(
  ctx: Context,
  grant: Grant,
  sizes: Readonly<Record<string, string>> | null,
): Record<string, string> | null {
  if (sizes === null) return null
  const granted = Object.entries(sizes).flatMap(([width, address]) => {
    const given = grantMediaUrl(ctx.config.sessionSecrets, grant, address)
    return given === null ? [] : [[width, given]]
  })
  return Object.fromEntries(granted)
}

/** Does the same in JSON from the database. User text in it cannot look like a field. */
export function grantedJson(ctx: Context, grant: Grant, json: string): string {
  return withPublicNamesJson(ctx, json).replaceAll(
    ownedFields,
    (_, field: string, address: string) =>
      // The address needs no escaping: the pattern matches no escaped characters.
      `"${field}":"${grantedAddress(ctx, grant, address)}"`,
  )
}

/** Returns the owner's address of the same file. An address of another site stays as it is. */
export function ownersAddress(ctx: Context, address: string): string {
  const known = addressOnThisSite(ctx, address)
  return known ? mediaUrlOf(ctx, known.file) : address
}

/**
 * Returns all forms in which sessions may store the address: older sessions have addresses signed with
 * an earlier secret.
 */
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
