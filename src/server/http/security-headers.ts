/**
 * The headers of every response, built once at the start. The policy is strict: pages run only this site's
 * scripts and styles. They must not be framed, except the page that is made for frames.
 */
import { createHash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { docsStyle } from './docs/docs-page.ts'

type HeaderConfig = Pick<Config, 'production' | 'feed'>

export function securityHeaders({ production, feed }: HeaderConfig) {
  // Slides from feeds are loaded from their origin. A development site may use http for its own.
  const pictures = production ? 'https:' : 'https: http:'
  const docsStyleHash = createHash('sha256').update(docsStyle).digest('base64')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${docsStyleHash}'`,
    "font-src 'self'",
    // A script fetches segmented films, only from the hosts of the site's sources (decision 50).
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
    // This host only: its subdomains may belong to others.
    ...(production ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/**
 * Returns the headers for a page that other sites may frame. It must not act for the signed-in user: the
 * framing site can cover its buttons.
 */
export function framedPageHeaders(config: HeaderConfig): Record<string, string> {
  const { 'x-frame-options': _, ...others } = securityHeaders(config)
  return {
    ...others,
    'content-security-policy': others['content-security-policy']
      .replace("frame-ancestors 'none'", 'frame-ancestors *')
      .replace("form-action 'self'", "form-action 'none'"),
    'cross-origin-resource-policy': 'cross-origin',
  }
}

/** Returns the policy of the service worker, which may fetch everything that pages may show. */
export function workerPolicy(production: boolean): string {
  return `default-src 'none'; script-src 'self'; connect-src 'self' ${production ? 'https:' : 'https: http:'}`
}
