/** The boxes of what is on its way, where it will stand. Screen readers hear one word for all. */
import type { ReactNode } from 'react'
import { useHasNetwork } from '../network.ts'
import { words } from './words.ts'

export function Skeleton({ className }: { className: string }) {
  return <div className={`skeleton ${className}`} />
}

/** Requests pause while the device has no network, and go on by themselves: the page says so. */
export function Waiting({ label, children }: { label: string; children: ReactNode }) {
  const hasNetwork = useHasNetwork()
  return (
    <>
      <output className="block text-sm text-ink-2 not-empty:mb-4">
        {!hasNetwork && words.waitsForNetwork}
      </output>
      <output aria-label={label} className="block">
        <div aria-hidden="true">{children}</div>
      </output>
    </>
  )
}

/** In place of a whole page, which has no other heading yet. */
export function PageWaiting({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <LoadingHeading>{label}</LoadingHeading>
      <Waiting label={label}>{children}</Waiting>
    </>
  )
}

/** Tests tell it by its mark from the heading of a page that is there. */
export function LoadingHeading({ children }: { children: string }) {
  return (
    <h1 className="sr-only" data-loading="">
      {children}
    </h1>
  )
}
