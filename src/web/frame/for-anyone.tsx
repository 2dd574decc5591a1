/** The frame of pages that need no account: that of whoever looks. Visitors do without the members' one. */
import { lazy, type ReactNode, Suspense } from 'react'
import { useCurrentUser } from '../features/accounts/current-user.ts'
import { PageInFrame } from './page-in-frame.tsx'
import { VisitorFrame } from './visitor-frame.tsx'

const AppFrame = lazy(async () => {
  const { AppFrame } = await import('./app-frame.tsx')
  return { default: AppFrame }
})

/** A page before signing in. */
export function ForVisitors({ children }: { children: ReactNode }) {
  return (
    <VisitorFrame>
      <PageInFrame>{children}</PageInFrame>
    </VisitorFrame>
  )
}

/** A page that anyone may see. */
export function ForAnyone({ children }: { children: ReactNode }) {
  const { data: user } = useCurrentUser()
  if (!user) return <ForVisitors>{children}</ForVisitors>
  return (
    <Suspense fallback={<VisitorFrame>{null}</VisitorFrame>}>
      <AppFrame>
        <PageInFrame>{children}</PageInFrame>
      </AppFrame>
    </Suspense>
  )
}
