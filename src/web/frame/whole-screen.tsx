/** The empty frame of a show, which has the whole screen. */
import { type ReactNode, Suspense } from 'react'
import { useLocation } from 'wouter'
import { ShowBoundary } from './page-boundary.tsx'
import { DarkRoom } from './page-loading.tsx'

export function WholeScreen({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  return (
    <ShowBoundary>
      <Suspense key={path} fallback={<DarkRoom />}>
        {children}
      </Suspense>
    </ShowBoundary>
  )
}
