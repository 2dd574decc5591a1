/** The destinations of the navigation: the bar on a wide screen, the tabs on a phone. */
import { Blend, GalleryHorizontalEnd, type LucideIcon, Plus, Users, Vault } from 'lucide-react'
import { words } from './words.ts'

export type Destination = {
  readonly label: string
  readonly href: string
  readonly icon: LucideIcon
  /** Returns true for paths at which the destination is marked as current. */
  readonly holds: (path: string) => boolean
  /** On phones only: on a wide screen the page has a button for it. */
  readonly isTabOnly?: boolean
}

const newSession = '/sessions/new'

export const destinations: readonly Destination[] = [
  {
    label: words.sessions,
    href: '/library',
    icon: GalleryHorizontalEnd,
    holds: (path) => path === '/library' || path === '/import' || path.startsWith('/sessions/'),
  },
  {
    label: words.community,
    href: '/community',
    icon: Users,
    holds: (path) => path.startsWith('/community'),
  },
  {
    label: words.newSession,
    href: newSession,
    icon: Plus,
    holds: (path) => path === newSession || path.startsWith(`${newSession}/`),
    isTabOnly: true,
  },
  {
    label: words.vault,
    href: '/vault',
    icon: Vault,
    holds: (path) => path.startsWith('/vault') || path === '/trash',
  },
  {
    label: words.studio,
    href: '/studio',
    icon: Blend,
    holds: (path) => path.startsWith('/studio'),
  },
]

/** Returns the current destination among the visible ones. A later, more specific one wins. */
export function destinationOf(
  path: string,
  shown: readonly Destination[],
): Destination | undefined {
  return shown.findLast(({ holds }) => holds(path))
}
