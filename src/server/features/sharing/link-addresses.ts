/** The addresses that a link has on this site: its page, its player, and its player for other sites. */
import type { Context } from '../../context.ts'

export type LinkPlace = {
  /** As it was written. */
  readonly code: string
  readonly kind: 'page' | 'player' | 'embed'
}

const code = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'
const sharedPattern = new RegExp(`^/shared/${code}(/play)?$`, 'i')
const embedPattern = new RegExp(`^/embed/${code}$`, 'i')

/** Null for the path of any other page. */
export function placeOfLink(path: string): LinkPlace | null {
  const [, embedded] = embedPattern.exec(path) ?? []
  if (embedded !== undefined) return { code: embedded, kind: 'embed' }
  const [, shared, play] = sharedPattern.exec(path) ?? []
  if (shared === undefined) return null
  return { code: shared, kind: play === undefined ? 'page' : 'player' }
}

/** The same for a whole address; null for another site's, and for one that names somebody. */
export function placeOfAddress(ctx: Context, address: string): LinkPlace | null {
  const url = URL.parse(address)
  if (!url || url.origin !== new URL(ctx.config.baseUrl).origin) return null
  return url.username === '' && url.password === '' ? placeOfLink(url.pathname) : null
}

export function sharedPath(code: string): string {
  return `/shared/${code}`
}

export function embedPath(code: string): string {
  return `/embed/${code}`
}

/** Where another site learns how to show the link's player. */
export function oembedAddress({ config }: Context, code: string): string {
  const address = encodeURIComponent(`${config.baseUrl}${sharedPath(code)}`)
  return `${config.baseUrl}/api/oembed?url=${address}`
}
