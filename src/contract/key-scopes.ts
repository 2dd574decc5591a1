/**
 * What an API key may be used for (contract 14): one function says which scope an endpoint needs, and
 * the doors, the OpenAPI document and the tests ask it. What it does not name, no key opens.
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
  /** Left out: every method. */
  readonly methods?: readonly Endpoint['method'][]
}

const reading = ['GET'] as const
const writing = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
const sessions = ['/api/sessions', '/api/shared', '/api/jobs']
const media = ['/api/user/media', '/api/user/storage', '/api/trash']

/** The first that fits is the one. Writing does not contain reading. */
const rules: readonly Rule[] = [
  // Playing is how a session is read, though it counts the plays.
  { scope: 'sessions:read', below: ['/api/sessions/:id/play', '/api/plays'] },
  { scope: 'sessions:read', below: sessions, methods: reading },
  { scope: 'sessions:write', below: sessions, methods: writing },
  { scope: 'sessions:write', below: ['/api/library/import', '/api/library/imports'] },
  { scope: 'sessions:write', below: ['/api/generate-caption', '/api/manual', '/api/captions'] },
  { scope: 'media:read', below: media, methods: reading },
  // Uploads, shares, deletion and the trash; tags and favourites are their owner's alone.
  { scope: 'media:write', below: [...media, '/api/media'], methods: ['POST', 'DELETE'] },
  {
    scope: 'media:write',
    below: ['/api/images', '/api/babecock', '/api/hypnococks', '/api/enhance'],
  },
  { scope: 'community:read', below: ['/api/community'], methods: reading },
  { scope: 'rooms', below: ['/api/rooms'] },
]

/** Null where no key may call it, and where nobody is asked who they are. */
export function scopeOf({ who, takesKeys, method, path }: Endpoint): KeyScope | null {
  if (who !== 'user' && !takesKeys) return null
  const rule = rules.find(
    (rule) =>
      (rule.methods?.includes(method) ?? true) &&
      rule.below.some((start) => path === start || path.startsWith(`${start}/`)),
  )
  return rule?.scope ?? null
}
