/**
 * The pages of the web client and the frame they share: skip link, name, and where the focus goes
 * when the page changes without a load.
 */
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { useSignInSync } from './features/accounts/current-user.ts'
import { RegisterPage } from './features/accounts/register-page.tsx'
import { SignInPage } from './features/accounts/sign-in-page.tsx'
import { LandingPage } from './features/landing/landing-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { Mark } from './ui/mark.tsx'

export function App() {
  useSignInSync()
  return (
    <Frame>
      <Switch>
        <Route path="/" component={LandingPage} />
        <Route path="/login" component={SignInPage} />
        <Route path="/register" component={RegisterPage} />
        <Route component={NotFoundPage} />
      </Switch>
    </Frame>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const main = useFocusOnPageChange()
  return (
    <div className="relative isolate mx-auto flex min-h-dvh max-w-[90rem] flex-col px-gutter">
      <a href="#main" className="skip-link">
        Skip to the content
      </a>
      <header className="flex h-16 shrink-0 items-center sm:h-[4.75rem]">
        <Link href="/" className="-mx-2 flex min-h-11 items-center gap-2.5 rounded-control px-2">
          <Mark />
          <span className="show-voice text-[1.125rem] font-[560]">Lanternist</span>
        </Link>
      </header>
      <main id="main" ref={main} tabIndex={-1} className="flex grow flex-col pb-12">
        {children}
      </main>
    </div>
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
