/**
 * Every endpoint that takes an address: those that fetch it, feeds, and those that only store or compare it.
 */
import type { ApiDocument } from './hostile-requests.ts'
import { readOperations } from './hostile-requests.ts'
import type { Schema } from './schema-sampler.ts'

export type Call = { readonly method: string; readonly path: string; readonly body?: object }

export type Way = {
  readonly endpoint: string
  readonly call: (url: string, fine: string) => Call
}

/** Each fetches one address. */
export const fetchingEndpoints: readonly Way[] = [
  posting('/api/generate-caption', (url) => ({ media_url: url })),
  posting('/api/manual/generate-ai-caption', (url) => ({
    image: url,
    context: { index: 0, total: 1 },
  })),
  posting('/api/babecock/generate', (url, fine) => ({ babeImageUrl: url, cockImageUrl: fine })),
  posting('/api/hypnococks/generate', (url, fine) => ({
    imageUrls: [url, fine],
    frameMs: 200,
    effect: 'cut',
    size: 256,
    format: 'gif',
  })),
  posting('/api/images/censor', (url) => ({
    imageUrl: url,
    regions: [{ x: 0.2, y: 0.2, width: 0.5, height: 0.5 }],
    mode: 'blur',
    strength: 3,
  })),
]

/** A feed is an address, or has a host in its name. */
export const feedEndpoints: readonly Way[] = [
  posting('/api/fetch-feed', (url) => ({ subfeeds: `rss:${url.replaceAll(',', '%2C')}` })),
  posting('/api/fetch-feed', (url) => ({ subfeeds: `mastodon:#city@${hostIn(url)}` })),
]

/** None of them may fetch anything. */
export const storingEndpoints: readonly Way[] = [
  posting('/api/babecock/remix', (url) => ({ imageUrl: url })),
  posting('/api/babecock/save', (url) => ({ imageUrl: url })),
  posting('/api/images/discard', (url) => ({ imageUrl: url })),
  {
    endpoint: 'PATCH /api/auth/user',
    call: (url) => ({ method: 'PATCH', path: '/api/auth/user', body: { profileImageUrl: url } }),
  },
  {
    endpoint: 'GET /api/oembed',
    call: (url) => ({
      method: 'GET',
      path: `/api/oembed?url=${encodeURIComponent(url.toWellFormed())}`,
    }),
  },
]

/**
 * Endpoints that take many addresses, or fetch none. The fault row calls the first two with all addresses;
 * the last takes a list.
 */
const otherTakers = [
  'POST /api/sessions/import-joip',
  'POST /api/sessions/manual',
  'PUT /api/sessions/{id}/media',
  'POST /api/feed-search',
]

/** Returns the operations with a field for an address that no test tries. It must be empty. */
export function untestedEndpoints(document: ApiDocument): string[] {
  const tried = new Set([...fetchingEndpoints, ...storingEndpoints].map(({ endpoint }) => endpoint))
  for (const taker of otherTakers) tried.add(taker)
  return readOperations(document)
    .filter(
      ({ body, parameters }) =>
        parameters.some(({ name }) => isAddressName(name)) ||
        hasAddress(body, document.components.schemas),
    )
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name) => !tried.has(name))
}

/** Reads the host from the text, because a parser would reject some of these addresses. */
function hostIn(url: string): string {
  return url.replace(/^[a-z]*:[\\/]*/i, '').split(/[/?#]/)[0] ?? ''
}

function isAddressName(name: string): boolean {
  return /ur[li]s?$/i.test(name)
}

function hasAddress(
  schema: Schema | undefined,
  schemas: Readonly<Record<string, Schema>>,
  depth = 0,
): boolean {
  if (!schema || depth > 6) return false
  const named = schema.$ref?.split('/').at(-1)
  if (named !== undefined) return hasAddress(schemas[named], schemas, depth + 1)
  const properties = schema.properties ?? {}
  if (Object.keys(properties).some(isAddressName)) return true
  const inner = [
    ...Object.values(properties),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ]
  return inner.some((part) => hasAddress(part, schemas, depth + 1))
}

function posting(path: string, body: (url: string, fine: string) => object): Way {
  return {
    endpoint: `POST ${path}`,
    call: (url, fine) => ({ method: 'POST', path, body: body(url, fine) }),
  }
}
