/**
 * Addresses that other people's browsers load or follow (contract 4.2): on other sites, or media of this
 * one. They are normalised like in a browser, so '/media/../api/logout' is not a media address.
 */
import { z } from 'zod'

const noSite = 'http://site.invalid'

/** Returns true if a path, normalised like in a browser, is a picture or film of this site. */
export function isOwnMediaPath(pathname: string): boolean {
  return /^\/(media|demo|covers)\//.test(pathname)
}

export function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol)
}

/** An address that a page links to: only http(s). */
export const linkAddress = z
  .string()
  .max(4000)
  .refine(isWebAddress, { error: 'must be an http(s) URL' })

/** An address that a page loads. Paths of this site are normalised like in a browser. */
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
