/** The part of a frame that changes with the page: the main landmark, which takes the focus. */
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { finishMove } from '../page-moves.ts'
import { words } from './words.ts'

export function MainContent({ className, children }: { className: string; children: ReactNode }) {
  const main = useMoveToPage()
  return (
    <main id="main" ref={main} tabIndex={-1} className={className}>
      {children}
    </main>
  )
}

export function SkipLink() {
  return (
    <a href="#main" className="skip-link">
      {words.skip}
    </a>
  )
}

function useMoveToPage() {
  const main = useRef<HTMLElement>(null)
  const [path] = useLocation()
  useLayoutEffect(() => {
    if (main.current) finishMove(main.current, path)
  }, [path])
  return main
}
