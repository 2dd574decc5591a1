/** Where the navigation leads: the bar on a wide screen, the tabs on a phone. */
import { Blend, GalleryHorizontalEnd, type LucideIcon, Plus, Users, Vault } from 'lucide-react'
import { words } from './words.ts'

export type Destination = {
  readonly label: string
  readonly href: string
  readonly icon: LucideIcon
  /** The pages on which it counts as the place where one is. */
  readonly holds: (path: string) => boolean
  /** On a phone only: a wide screen has a button for it on the page. */
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

/** Where one is, among those that are shown: a tab of its own comes before the place it is in. */
export function placeOf(path: string, shown: readonly Destination[]): Destination | undefined {
  return shown.findLast(({ holds }) => holds(path))
}
