/** A dialog whose script loads when it is opened. It says so if that takes longer than a moment. */
import { type ReactNode, Suspense } from 'react'
import { words } from '../frame/loading-words.ts'
import { useIsLate } from './use-is-late.ts'

export function DialogPart({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Coming />}>{children}</Suspense>
}

/** The region is in the page before its text, so that screen readers announce the text. */
function Coming() {
  const isLate = useIsLate()
  return (
    <output className="toasts">{isLate && <p className="toast pe-3.5">{words.loading}</p>}</output>
  )
}
