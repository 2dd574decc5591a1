/**
 * Catches what breaks while a page is loaded or drawn, such as a part that a newer version of the
 * site no longer has, and offers to load the page anew. Other pages stay in reach.
 */
import { Component, type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import { useReach } from '../network.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { words } from './coming-words.ts'

export function PageBoundary({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  return (
    <Boundary path={path} broken={<Broken />}>
      {children}
    </Boundary>
  )
}

/** Around a show, which has the whole screen: without a frame, the way out is offered too. */
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

/** Another address is tried afresh, without mounting what is around the page again. */
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
  // Nobody stands before a wall or a television to press the button when the network is back.
  useEffect(() => {
    window.ononline = loadAnew
    return () => void (window.ononline = null)
  }, [])
  return (
    <div role="alert" className="broken-page">
      <h1 className="show-voice text-2xl">{words.broken}</h1>
      <p>{reach && words.brokenReason[reach]}</p>
      <Button look="lit" size="big" className="mt-3" onClick={loadAnew}>
        {words.loadAnew}
      </Button>
      {children}
    </div>
  )
}

function loadAnew() {
  window.location.reload()
}
