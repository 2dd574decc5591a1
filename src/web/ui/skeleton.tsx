/**
 * Placeholder boxes for content that is loading, in its final position. Screen readers get one label for all.
 */
import type { ReactNode } from 'react'
import { useHasNetwork } from '../network.ts'
import { words } from './words.ts'

export function Skeleton({ className }: { className: string }) {
  return <div className={`skeleton ${className}`} />
}

/** Says when the device has no network. Requests pause until then and resume without user action. */
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

/** Replaces a whole page, which has no other heading yet. */
export function PageWaiting({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <LoadingHeading>{label}</LoadingHeading>
      <Waiting label={label}>{children}</Waiting>
    </>
  )
}

/** The attribute lets tests distinguish it from the heading of a loaded page. */
export function LoadingHeading({ children }: { children: string }) {
  return (
    <h1 className="sr-only" data-loading="">
      {children}
    </h1>
  )
}
