/**
 * Catches errors while a page is loaded or rendered, such as a script that a newer version of the site no
 * longer has, and offers to reload the page. Other pages remain reachable.
 */
import { Component, type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import { useReach } from '../network.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { words } from './loading-words.ts'

export function PageBoundary({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  return (
    <Boundary path={path} broken={<Broken />}>
      {children}
    </Boundary>
  )
}

/** The boundary of a show. It has no frame with navigation, so it also links to the library. */
export function ShowBoundary({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const broken = (
    <main data-theme="dark" className="grid min-h-dvh bg-room px-5 text-ink">
      <Broken>
        <ButtonLink href="/library" look="bare">
          {words.backToSessions}
        </ButtonLink>
      </Broken>
    </main>
  )
  return (
    <Boundary path={path} broken={broken}>
      {children}
    </Boundary>
  )
}

type BoundaryProps = {
  readonly path: string
  readonly children: ReactNode
  readonly broken: ReactNode
}
type BoundaryState = { readonly path: string; readonly isBroken: boolean }

/** Renders again after a change of address, without remounting the frame around the page. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state = { path: this.props.path, isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  static getDerivedStateFromProps({ path }: BoundaryProps, state: BoundaryState) {
    return path === state.path ? null : { path, isBroken: false }
  }

  override render() {
    return this.state.isBroken ? this.props.broken : this.props.children
  }
}

function Broken({ children }: { children?: ReactNode }) {
  const reach = useReach()
  // A wall or television has no user to press the button when the network is back.
  useEffect(() => {
    window.ononline = reload
    return () => void (window.ononline = null)
  }, [])
  return (
    <div role="alert" className="broken-page">
      <h1 className="show-voice text-2xl">{words.broken}</h1>
      <p>{reach && words.brokenReason[reach]}</p>
      <Button look="lit" size="big" className="mt-3" onClick={reload}>
        {words.reload}
      </Button>
      {children}
    </div>
  )
}

function reload() {
  window.location.reload()
}
