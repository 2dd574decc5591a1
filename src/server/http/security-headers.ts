/**
 * The headers that every answer carries, made once when the service starts. A strict policy: pages
 * run scripts and styles of this site only, and may not be framed, but for the one that is made for it.
 */
import { createHash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { docsStyle } from './docs/docs-page.ts'

type Told = Pick<Config, 'production' | 'feed'>

export function securityHeaders({ production, feed }: Told) {
  // Feed slides are shown from where they are; a development site may show its own over http.
  const pictures = production ? 'https:' : 'https: http:'
  const docsStyleHash = createHash('sha256').update(docsStyle).digest('base64')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${docsStyleHash}'`,
    "font-src 'self'",
    // Films in pieces are fetched by a script, from the hosts of the site's sources alone (decision 50).
    ["connect-src 'self'", ...feed.filmOrigins].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    `img-src 'self' data: blob: ${pictures}`,
    `media-src 'self' blob: ${pictures}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    // This host alone: what else stands below its name is not ours to decide about.
    ...(production ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/**
 * The same for a page that stands in frames of other sites. Nothing on it may act for whoever is signed
 * in here: a site that frames it decides what lies over its buttons.
 */
export function framedPageHeaders(told: Told): Record<string, string> {
  const { 'x-frame-options': _, ...others } = securityHeaders(told)
  return {
    ...others,
    'content-security-policy': others['content-security-policy']
      .replace("frame-ancestors 'none'", 'frame-ancestors *')
      .replace("form-action 'self'", "form-action 'none'"),
    'cross-origin-resource-policy': 'cross-origin',
  }
}

/** Of the service worker, which fetches for the pages what these may show. */
export function workerPolicy(production: boolean): string {
  return `default-src 'none'; script-src 'self'; connect-src 'self' ${production ? 'https:' : 'https: http:'}`
}
