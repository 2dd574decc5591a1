/** A wall of cards of different heights: in columns, but in order from left to right. */
import { type ReactNode, useSyncExternalStore } from 'react'

const wide = [
  '(width >= 60rem)',
  '(width >= 72rem)',
  '(width >= 96rem)',
  '(width >= 112rem)',
  '(width >= 128rem)',
] as const

export function Wall({ children }: { children: readonly ReactNode[] }) {
  const count = useSyncExternalStore(subscribe, columnCount)
  return (
    <div className="flex items-start gap-2.5 sm:gap-[18px]">
      {Array.from({ length: count }, (_, column) => (
        <div key={column} className="grid min-w-0 flex-1 grid-cols-1 gap-4 sm:gap-[22px]">
          {children.filter((_, index) => index % count === column)}
        </div>
      ))}
    </div>
  )
}

function columnCount(): number {
  return 2 + wide.filter((query) => matchMedia(query).matches).length
}

function subscribe(onChange: () => void) {
  const queries = wide.map((query) => matchMedia(query))
  for (const query of queries) query.addEventListener('change', onChange)
  return () => {
    for (const query of queries) query.removeEventListener('change', onChange)
  }
}
