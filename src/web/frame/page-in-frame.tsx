/** The place of a page in its frame: what stands there until it has come, or where it cannot. */
import { type ReactNode, Suspense } from 'react'
import { PageBoundary } from './page-boundary.tsx'
import { PageLoading } from './page-loading.tsx'

export function PageInFrame({ children }: { children: ReactNode }) {
  return (
    <PageBoundary>
      <Suspense fallback={<PageLoading />}>{children}</Suspense>
    </PageBoundary>
  )
}
