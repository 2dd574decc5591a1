/**
 * Addresses that other people's browsers load or follow (contract 4.2): of other sites, or of media of
 * this one. They are judged as a browser reads them, so '/media/../api/logout' is no address of media.
 */
import { z } from 'zod'

const noSite = 'http://site.invalid'

/** Whether a path, as a browser asks for it, is one of pictures and films of this site. */
export function isOwnMediaPath(pathname: string): boolean {
  return /^\/(media|demo|covers)\//.test(pathname)
}

export function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol)
}

/** An address that a page links to: http(s) and no other scheme. */
export const linkAddress = z
  .string()
  .max(4000)
  .refine(isWebAddress, { error: 'must be an http(s) URL' })

/** An address that a page loads. Paths of this site are normalised as a browser does it. */
export const mediaAddress = z
  .string()
  .max(4000)
  .refine((text) => ownMediaPath(text) !== null || isWebAddress(text), {
    error: 'must be an http(s) URL or the URL of media of this site',
  })
  .transform((text) => ownMediaPath(text) ?? text)

function ownMediaPath(text: string): string | null {
  const url = text.startsWith('/') ? URL.parse(text, noSite) : null
  if (url?.origin !== noSite || !isOwnMediaPath(url.pathname)) return null
  return `${url.pathname}${url.search}`
}
