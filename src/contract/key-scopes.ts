/**
 * The scopes of API keys (contract 14). One function returns the scope that an endpoint needs. The access
 * checks, the OpenAPI document and the tests use it. Keys cannot call endpoints that it does not list.
 */
import type { Endpoint } from './endpoint.ts'

export const keyScopes = [
  'sessions:read',
  'sessions:write',
  'media:read',
  'media:write',
  'community:read',
  'rooms',
] as const

export type KeyScope = (typeof keyScopes)[number]

type Rule = {
  readonly scope: KeyScope
  readonly below: readonly string[]
  /** Default: every method. */
  readonly methods?: readonly Endpoint['method'][]
}

const reading = ['GET'] as const
const writing = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
const sessions = ['/api/sessions', '/api/shared', '/api/jobs']
const media = ['/api/user/media', '/api/user/storage', '/api/trash']

/** The rules in order; the first match applies. Writing does not include reading. */
const rules: readonly Rule[] = [
  // Playing is reading a session, although it counts plays.
  { scope: 'sessions:read', below: ['/api/sessions/:id/play', '/api/plays'] },
  { scope: 'sessions:read', below: sessions, methods: reading },
  { scope: 'sessions:write', below: sessions, methods: writing },
  { scope: 'sessions:write', below: ['/api/library/import', '/api/library/imports'] },
  { scope: 'sessions:write', below: ['/api/generate-caption', '/api/manual', '/api/captions'] },
  { scope: 'media:read', below: media, methods: reading },
  // Uploads, shares, deletion and the trash. Keys cannot change tags and favourites.
  { scope: 'media:write', below: [...media, '/api/media'], methods: ['POST', 'DELETE'] },
  {
    scope: 'media:write',
    below: ['/api/images', '/api/babecock', '/api/hypnococks', '/api/enhance'],
  },
  { scope: 'community:read', below: ['/api/community'], methods: reading },
  { scope: 'rooms', below: ['/api/rooms'] },
]

/** Returns the scope. Null if no key may call the endpoint, or if it needs no sign-in. */
export function scopeOf({ who, takesKeys, method, path }: Endpoint): KeyScope | null {
  if (who !== 'user' && !takesKeys) return null
  const rule = rules.find(
    (rule) =>
      (rule.methods?.includes(method) ?? true) &&
      rule.below.some((start) => path === start || path.startsWith(`${start}/`)),
  )
  return rule?.scope ?? null
}
