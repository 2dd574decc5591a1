/** Changes to a share link, and the request that contains only the changed fields. */
import type { client } from '../../api.ts'

export type Share = Awaited<ReturnType<typeof client.sharing.readShare>>
type ShareBody = NonNullable<Parameters<typeof client.sharing.shareSession>[0]['body']>

/** A number means days from now. */
export type Lifetime = 'keep' | 'forever' | '1' | '7' | '30'

/** People who can play the session: users with an account, or anyone with the link. */
export type ShareAccess = Share['access']

export type LimitChange = {
  readonly access?: ShareAccess
  readonly lifetime?: Lifetime
  readonly download?: boolean
  /** Null removes it. An empty text was not typed and changes nothing. */
  readonly password?: string | null
}

export const noChange: LimitChange = {}

export function hasEnded({ expiresAt }: Share): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now()
}

/** Returns the chosen lifetime. A link that has ended needs a new end to work again. */
export function lifetimeOf(share: Share | null, { lifetime }: LimitChange): Lifetime {
  return lifetime ?? (share && hasEnded(share) ? 'forever' : 'keep')
}

/** Returns the access. A new link is for anyone, unless the session is for adults. */
export function accessOf(
  share: Share | null,
  change: LimitChange,
  session: { readonly nsfw: boolean },
): ShareAccess {
  return change.access ?? share?.access ?? (session.nsfw ? 'members' : 'anyone')
}

export function bodyOf(
  share: Share | null,
  change: LimitChange,
  session: { readonly nsfw: boolean },
): ShareBody {
  const lifetime = lifetimeOf(share, change)
  const access = accessOf(share, change, session)
  const { password, download } = change
  return {
    ...(access === share?.access ? {} : { access }),
    ...(download === undefined || download === (share?.download ?? false) ? {} : { download }),
    ...(lifetime === 'keep' ? {} : { expiresAt: endOf(lifetime) }),
    ...(password === undefined || password === '' ? {} : { password }),
  }
}

function endOf(lifetime: Exclude<Lifetime, 'keep'>): string | null {
  if (lifetime === 'forever') return null
  return new Date(Date.now() + Number(lifetime) * 24 * 60 * 60 * 1000).toISOString()
}
