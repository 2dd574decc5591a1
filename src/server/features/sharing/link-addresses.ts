/** The addresses of a link on this site: its page, its player, and its player for other sites. */
import type { Context } from '../../context.ts'

export type LinkAddress = {
  /** The code, in its original case. */
  readonly code: string
  readonly kind: 'page' | 'player' | 'embed'
}

const code = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'
const sharedPattern = new RegExp(`^/shared/${code}(/play)?$`, 'i')
const embedPattern = new RegExp(`^/embed/${code}$`, 'i')

/** Returns null for the path of any other page. */
export function parseLinkPath(path: string): LinkAddress | null {
  const [, embedded] = embedPattern.exec(path) ?? []
  if (embedded !== undefined) return { code: embedded, kind: 'embed' }
  const [, shared, play] = sharedPattern.exec(path) ?? []
  if (shared === undefined) return null
  return { code: shared, kind: play === undefined ? 'page' : 'player' }
}

/**
 * Does the same for a full address. Returns null for other sites, and for addresses with a user name or
 * password.
 */
export function parseLinkAddress(ctx: Context, address: string): LinkAddress | null {
  const url = URL.parse(address)
  if (!url || url.origin !== new URL(ctx.config.baseUrl).origin) return null
  return url.username === '' && url.password === '' ? parseLinkPath(url.pathname) : null
}

export function sharedPath(code: string): string {
  return `/shared/${code}`
}

export function embedPath(code: string): string {
  return `/embed/${code}`
}

/** The card of a page without a picture, which the web client contains. */
export const siteCardPath = '/card.jpg'

/** Returns the path of a link's card. The id makes other sites load it again when it has changed. */
export function cardPath(code: string, sourceId: string): string {
  return `${sharedPath(code)}/card.jpg?v=${sourceId}`
}

/** Returns the oEmbed address of the link's player for other sites. */
export function oembedAddress({ config }: Context, code: string): string {
  const address = encodeURIComponent(`${config.baseUrl}${sharedPath(code)}`)
  return `${config.baseUrl}/api/oembed?url=${address}`
}
