/**
 * Capability URLs: whoever holds one may see the file, without a cookie, and nobody can make one up
 * from the path. The owner's never changes while the file lives, so that browsers can keep what it
 * points at. What others are given carries the grant by which they were given it, and ends with that.
 */
import { isOwnMediaPath } from '../../../contract/addresses.ts'
import type { Context } from '../../context.ts'
import type { SigningSecrets } from '../../platform/signature.ts'
import { allSignaturesOf, isSignature, signatureOf } from '../../platform/signature.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { problem } from '../problem.ts'
import { assertBucket, assertKey, isBucket, isKey } from '../../platform/storage/storage.ts'

/** A kind and a number, 'share.12'; which kinds there are is known to `features/files/grants.ts`. */
export type Grant = `${string}.${number}`

export type MediaAddress = {
  readonly file: FileAddress
  /** Null in the owner's own address. */
  readonly grant: Grant | null
}

type Signed = { secrets: SigningSecrets; grant?: Grant | null } & FileAddress
/** As they come out of a request: nothing about them is known yet. */
type Claimed = {
  secrets: SigningSecrets
  bucket: unknown
  key: unknown
  grant?: unknown
  signature: unknown
}

/**
 * Whether an address may be loaded in other people's browsers: it leads to another site, or to media
 * of this one. Anything else of this site acts with the cookies of the person who looks at it.
 */
export function isMediaAddress({ config }: Pick<Context, 'config'>, address: string): boolean {
  const base = new URL(config.baseUrl)
  const url = URL.parse(address, base.origin)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return url.host !== base.host || isOwnMediaPath(url.pathname)
}

/** Refuses an address that somebody gives to be shown to others. */
export function requireMediaAddress(
  ctx: Pick<Context, 'config'>,
  field: string,
  address: string | null | undefined,
): void {
  if (address && !isMediaAddress(ctx, address))
    throw problem.validationFailed({
      message: `Validation failed: ${field} must be an http(s) URL or the URL of media of this site`,
    })
}

export function mediaUrlOf(
  ctx: Pick<Context, 'config'>,
  file: FileAddress,
  grant: Grant | null = null,
): string {
  return signMediaUrl({ secrets: ctx.config.sessionSecrets, ...file, grant })
}

export function signMediaUrl({ secrets, bucket, key, grant = null }: Signed): string {
  assertBucket(bucket)
  assertKey(key)
  return signName(secrets, signedName({ bucket, key }), grant)
}

function signName(secrets: SigningSecrets, name: string, grant: Grant | null): string {
  const path = `/media/${name}`
  const signature = signatureOf(secrets, 'media-url', name)
  return grant === null ? `${path}?s=${signature}` : grantedUrl(secrets, grant, path, signature)
}

/** What a request asks for, if its signature is right; whether it may have it is asked elsewhere. */
export function readMediaAddress(claimed: Claimed): MediaAddress | null {
  const { bucket } = claimed
  const read = isBucket(bucket) ? readSigned(bucket, claimed) : null
  return read && isBucket(bucket) ? { file: { bucket, key: read.key }, grant: read.grant } : null
}

/**
 * What is shown from elsewhere than our storage: a file in a folder of the machine
 * (`features/folders`), or of an account that is connected (`features/feeds/connections`).
 */
const outsidePlaces = ['folder', 'connected'] as const
type OutsidePlace = (typeof outsidePlaces)[number]
export type OutsideAddress = { readonly key: string; readonly grant: Grant | null }

export function signOutsideUrl(
  secrets: SigningSecrets,
  place: OutsidePlace,
  { key, grant }: OutsideAddress,
): string {
  assertKey(key)
  return signName(secrets, `${place}/${key}`, grant)
}

/** The same as `readMediaAddress` for what lies there. */
export function readOutsideAddress(
  place: OutsidePlace,
  claimed: Omit<Claimed, 'bucket'>,
): OutsideAddress | null {
  return readSigned(place, claimed)
}

/** The same for an address as it stands in a slide. */
export function outsideOfMediaUrl(
  secrets: SigningSecrets,
  place: OutsidePlace,
  pathAndQuery: string,
): OutsideAddress | null {
  if (!pathAndQuery.startsWith(`/media/${place}/`)) return null
  return readSigned(place, { secrets, ...partsOf(pathAndQuery) })
}

/** As the current secret signs it; null for what none of ours has signed. */
export function renewMediaUrl(secrets: SigningSecrets, pathAndQuery: string): string | null {
  for (const place of outsidePlaces) {
    const address = outsideOfMediaUrl(secrets, place, pathAndQuery)
    if (address) return signOutsideUrl(secrets, place, address)
  }
  const known = addressOfMediaUrl(secrets, pathAndQuery)
  return known && signMediaUrl({ secrets, ...known.file, grant: known.grant })
}

function readSigned(place: string, claimed: Omit<Claimed, 'bucket'>): OutsideAddress | null {
  const { secrets, key, grant = null, signature } = claimed
  if (!isKey(key) || typeof signature !== 'string') return null
  if (grant !== null && !isGrant(grant)) return null
  const name = `${place}/${key}`
  // While a secret is changed, either may have signed the owner's address, and either the grant.
  const isRight =
    grant === null
      ? isSignature(secrets, 'media-url', name, signature)
      : allSignaturesOf(secrets, 'media-url', name).some((owners) =>
          isSignature(
            secrets,
            'media-grant',
            grantText(grant, `/media/${name}`, owners),
            signature,
          ),
        )
  return isRight ? { key, grant } : null
}

/** The same for an address as it stands in a slide; null where it is no valid one. */
export function addressOfMediaUrl(
  secrets: SigningSecrets,
  pathAndQuery: string,
): MediaAddress | null {
  return readMediaAddress({ secrets, ...partsOf(pathAndQuery) })
}

function partsOf(pathAndQuery: string) {
  const url = URL.parse(pathAndQuery, 'http://localhost')
  const [, bucket, key] = /^\/media\/([^/]+)\/(.+)$/.exec(url?.pathname ?? '') ?? []
  const [grant, signature] = [url?.searchParams.get('g'), url?.searchParams.get('s')]
  return { bucket, key, grant, signature }
}

/** Where what people own lies, of which others are given addresses by a grant. */
const ownPlaces = ['user-media', ...outsidePlaces] as const
export type OwnPlace = (typeof ownPlaces)[number]
/** As a part of a pattern. */
export const anyOwnPlace = `(?:${ownPlaces.join('|')})`

const ownersUrl = new RegExp(`^(/media/${anyOwnPlace}/[\\w./-]+)\\?s=([\\w-]{24})$`)

/**
 * The owner's address as others are given it by a grant; null where it does not look like one. The
 * grant's signature is made over the owner's, so a made-up address gives one that opens nothing, and
 * none has to be verified first.
 */
export function grantMediaUrl(
  secrets: SigningSecrets,
  grant: Grant,
  ownersAddress: string,
): string | null {
  const [, path, signature] = ownersUrl.exec(ownersAddress) ?? []
  if (path === undefined || signature === undefined) return null
  return grantedUrl(secrets, grant, path, signature)
}

function grantedUrl(
  secrets: SigningSecrets,
  grant: Grant,
  path: string,
  ownersSignature: string,
): string {
  const text = grantText(grant, path, ownersSignature)
  return `${path}?g=${grant}&s=${signatureOf(secrets, 'media-grant', text)}`
}

function grantText(grant: Grant, path: string, ownersSignature: string): string {
  return `${grant} ${path} ${ownersSignature}`
}

/** No bucket has a slash in its name, so two files never share a text. */
function signedName({ bucket, key }: FileAddress): string {
  return `${bucket}/${key}`
}

function isGrant(value: unknown): value is Grant {
  return typeof value === 'string' && /^[a-z]{1,20}\.[1-9][0-9]{0,9}$/.test(value)
}
