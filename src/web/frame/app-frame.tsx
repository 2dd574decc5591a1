/** The frame around the pages of a signed-in user: navigation, balance, account menu. */
import { Coins } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { Link, useLocation } from 'wouter'
import { useCurrentUser } from '../features/accounts/current-user.ts'
import { lazyPart } from '../parts.ts'
import { useHasCredits } from '../site.ts'
import { formatNumber } from '../words/figures.ts'
import { AccountMenu } from './account-menu.tsx'
import { Bell } from './bell.tsx'
import { Brand } from './brand.tsx'
import { type Destination, destinations, destinationOf } from './destinations.ts'
import { MainContent, SkipLink } from './main-content.tsx'
import { words } from './words.ts'

const inBar = destinations.filter(({ isTabOnly }) => !isTabOnly)

const DropRegion = lazyPart(async () => (await import('../uploads/drop-region.tsx')).DropRegion)

export function AppFrame({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  return (
    <div className="isolate flex min-h-dvh flex-col">
      <SkipLink />
      <header className="sticky top-0 z-20 shrink-0 border-b border-hairline bg-room">
        <div className="mx-auto flex h-[54px] w-full max-w-site items-stretch gap-3 px-page sm:gap-8 sm:h-[60px]">
          <div className="flex min-w-0 items-center">
            <Brand href="/library" />
          </div>
          <nav aria-label={words.main} className="hidden sm:flex">
            {inBar.map((destination) => (
              <BarLink
                key={destination.href}
                destination={destination}
                isHere={destination === destinationOf(path, inBar)}
              />
            ))}
          </nav>
          <div className="ms-auto flex flex-none items-center gap-1 max-[22.5rem]:gap-0">
            <Balance />
            {/* Reserves the space until the user is loaded. */}
            <div className="size-10 max-sm:size-11">
              <Bell />
            </div>
            <AccountMenu />
          </div>
        </div>
      </header>
      <MainContent className="mx-auto flex w-full max-w-site grow flex-col px-page pt-5 pb-24 sm:pt-8 sm:pb-16">
        {children}
      </MainContent>
      <nav
        aria-label={words.main}
        className="fixed inset-x-0 bottom-0 z-20 grid h-[calc(62px+env(safe-area-inset-bottom))] auto-cols-fr grid-flow-col border-t border-hairline bg-mount px-[var(--safe-sides)] pb-[env(safe-area-inset-bottom)] sm:hidden"
      >
        {destinations.map((destination) => (
          <TabLink
            key={destination.href}
            destination={destination}
            isHere={destination === destinationOf(path, destinations)}
          />
        ))}
      </nav>
      <Suspense>
        <DropRegion />
      </Suspense>
    </div>
  )
}

function BarLink({ destination, isHere }: { destination: Destination; isHere: boolean }) {
  return (
    <Link
      href={destination.href}
      aria-current={isHere ? 'page' : undefined}
      className="lit-link flex items-center px-4 font-[500] text-ink-2 hover:text-ink focus-visible:-outline-offset-4 aria-[current]:text-ink"
    >
      {destination.label}
    </Link>
  )
}

function TabLink({ destination, isHere }: { destination: Destination; isHere: boolean }) {
  const Icon = destination.icon
  return (
    <Link
      href={destination.href}
      aria-current={isHere ? 'page' : undefined}
      className="lit-link grid place-items-center content-center gap-[3px] text-2xs font-[500] text-ink-2 focus-visible:-outline-offset-4 aria-[current]:text-ink"
    >
      <Icon size={21} strokeWidth={1.6} aria-hidden="true" />
      {destination.label}
    </Link>
  )
}

function Balance() {
  const { data: user } = useCurrentUser()
  const hasCredits = useHasCredits()
  if (!user || !hasCredits) return null
  return (
    <Link
      href="/credits"
      className="flex min-h-11 items-center gap-[7px] rounded-control px-3 font-[560] text-ink-2 max-[22.5rem]:px-1.5 hover:text-ink"
    >
      <Coins size={16} strokeWidth={1.75} aria-hidden="true" className="text-ink-3" />
      {formatNumber(user.credits.balance)}
      <span className="sr-only">{words.credits}</span>
    </Link>
  )
}
