/** The frame of a show, which is none: it has the whole screen, for whoever may see it. */
import { type ReactNode, Suspense } from 'react'
import { ShowBoundary } from './page-boundary.tsx'
import { DarkRoom } from './page-loading.tsx'

export function WholeScreen({ children }: { children: ReactNode }) {
  return (
    <ShowBoundary>
      <Suspense fallback={<DarkRoom />}>{children}</Suspense>
    </ShowBoundary>
  )
}
