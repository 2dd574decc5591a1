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
