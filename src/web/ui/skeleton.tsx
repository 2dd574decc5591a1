/** The boxes of what is on its way, where it will stand. Screen readers hear one word for all. */
import type { ReactNode } from 'react'

export function Skeleton({ className }: { className: string }) {
  return <div className={`skeleton ${className}`} />
}

export function Waiting({ label, children }: { label: string; children: ReactNode }) {
  return (
    <output aria-label={label} className="block">
      <div aria-hidden="true">{children}</div>
    </output>
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
