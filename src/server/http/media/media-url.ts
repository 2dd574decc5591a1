/**
 * Capability URLs: they give access to a file without a cookie, and cannot be derived from the path. The
 * owner's URL never changes while the file exists, so browsers can cache it. URLs for other people contain
 * an access grant and end with it.
 */
import { isOwnMediaPath } from '../../../contract/addresses.ts'
import type { Context } from '../../context.ts'
import type { SigningSecrets } from '../../platform/signature.ts'
import { allSignaturesOf, isSignature, signatureOf } from '../../platform/signature.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { problem } from '../problem.ts'
import { assertBucket, assertKey, isBucket, isKey } from '../../platform/storage/storage.ts'

/** A kind and a number, such as 'share.12'. `features/files/grants.ts` knows the kinds. */
export type Grant = `${string}.${number}`

export type MediaAddress = {
  readonly file: FileAddress
  /** Null in the owner's own URL. */
  readonly grant: Grant | null
}

type Signed = { secrets: SigningSecrets; grant?: Grant | null } & FileAddress
/** Values from a request, not validated yet. */
type Claimed = {
  secrets: SigningSecrets
  bucket: unknown
  key: unknown
  grant?: unknown
  signature: unknown
}

/**
 * Returns true if other people's browsers may load the address: it is on another site, or is media of this
 * one. Other addresses of this site act with the cookies of the person who views them.
 */
export function isMediaAddress({ config }: Pick<Context, 'config'>, address: string): boolean {
  const base = new URL(config.baseUrl)
  const url = URL.parse(address, base.origin)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return url.host !== base.host || isOwnMediaPath(url.pathname)
}

/** Refuses an address that other people's browsers must not load. */
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

/** Returns the requested file and grant if the signature is valid. Access is checked elsewhere. */
export function readMediaAddress(claimed: Claimed): MediaAddress | null {
  const { bucket } = claimed
  const read = isBucket(bucket) ? readSigned(bucket, claimed) : null
  return read && isBucket(bucket) ? { file: { bucket, key: read.key }, grant: read.grant } : null
}

/**
 * Sources outside our storage: a file in a folder of the machine (`features/folders`), or of a connected
 * account (`features/feeds/connections`).
 */
const outsideBuckets = ['folder', 'connected'] as const
type OutsideBucket = (typeof outsideBuckets)[number]
export type OutsideAddress = { readonly key: string; readonly grant: Grant | null }

export function signOutsideUrl(
  secrets: SigningSecrets,
  bucket: OutsideBucket,
  { key, grant }: OutsideAddress,
): string {
  assertKey(key)
  return signName(secrets, `${bucket}/${key}`, grant)
}

/** Does the same as `readMediaAddress` for files outside our storage. */
export function readOutsideAddress(
  bucket: OutsideBucket,
  claimed: Omit<Claimed, 'bucket'>,
): OutsideAddress | null {
  return readSigned(bucket, claimed)
}

/** Does the same for a URL in a slide. */
export function outsideOfMediaUrl(
  secrets: SigningSecrets,
  bucket: OutsideBucket,
  pathAndQuery: string,
): OutsideAddress | null {
  if (!pathAndQuery.startsWith(`/media/${bucket}/`)) return null
  return readSigned(bucket, { secrets, ...partsOf(pathAndQuery) })
}

/** Signs the URL again with the current secret. Returns null if none of our secrets signed it. */
export function renewMediaUrl(secrets: SigningSecrets, pathAndQuery: string): string | null {
  for (const bucket of outsideBuckets) {
    const address = outsideOfMediaUrl(secrets, bucket, pathAndQuery)
    if (address) return signOutsideUrl(secrets, bucket, address)
  }
  const known = addressOfMediaUrl(secrets, pathAndQuery)
  return known && signMediaUrl({ secrets, ...known.file, grant: known.grant })
}

function readSigned(bucket: string, claimed: Omit<Claimed, 'bucket'>): OutsideAddress | null {
  const { secrets, key, grant = null, signature } = claimed
  if (!isKey(key) || typeof signature !== 'string') return null
  if (grant !== null && !isGrant(grant)) return null
  const name = `${bucket}/${key}`
  // During a rotation, either secret may have signed the owner's URL, and either the grant.
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

/** Reads a URL in a slide. Returns null if it is not valid. */
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

/** The buckets of files that people own. Other people get URLs with a grant for them. */
const ownedBuckets = ['user-media', ...outsideBuckets] as const
export type OwnedBucket = (typeof ownedBuckets)[number]
/** A part of a regular expression. */
export const anyOwnedBucket = `(?:${ownedBuckets.join('|')})`

const plainUrl = new RegExp(`^(/media/(?:general|${anyOwnedBucket})/[\\w./-]+)\\?s=([\\w-]{24})$`)

/**
 * Returns the URL that other people get by a grant, or null if the URL without a grant is malformed. The
 * grant's signature covers the other signature. So an invented URL results in a URL that opens nothing, and
 * its signature needs no check here.
 */
export function grantMediaUrl(
  secrets: SigningSecrets,
  grant: Grant,
  plainAddress: string,
): string | null {
  const [, path, signature] = plainUrl.exec(plainAddress) ?? []
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

/** Returns the text to sign. No bucket has a slash in its name, so two files never share a text. */
function signedName({ bucket, key }: FileAddress): string {
  return `${bucket}/${key}`
}

function isGrant(value: unknown): value is Grant {
  return typeof value === 'string' && /^[a-z]{1,20}\.[1-9][0-9]{0,9}$/.test(value)
}
