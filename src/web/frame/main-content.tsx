/** The part of a frame that changes with the address: its landmark, and where the focus goes. */
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { words } from './words.ts'

export function MainContent({ className, children }: { className: string; children: ReactNode }) {
  const main = useFocusOnPageChange()
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

/** After a change of page the reading starts at the new content, as it would after a load. */
function useFocusOnPageChange() {
  const main = useRef<HTMLElement>(null)
  const [path] = useLocation()
  const shownPath = useRef(path)
  useEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    main.current?.focus()
    window.scrollTo(0, 0)
  }, [path])
  return main
}
