/** The dark page before the show: a short message in the middle and a button to leave. */
import { type ReactNode, useEffect, useState } from 'react'
import { FirstFrame } from '../../first-frame.tsx'
import { Button } from '../../ui/button.tsx'
import { useExit } from './outside/exit.ts'
import { useThemeColour } from './use-theme-colour.ts'
import { words } from './words.ts'

export function DarkRoom({ children }: { children: ReactNode }) {
  useThemeColour(false)
  return (
    <main className="player" data-theme="dark">
      <div className="player-card">{children}</div>
    </main>
  )
}

export function RoomExit({ exit, children }: { exit: string; children: ReactNode }) {
  return (
    <Button size="big" onClick={useExit(exit)}>
      {children}
    </Button>
  )
}

/** Shows the reason why there is nothing to play. */
export function Closed({
  title,
  exit,
  children,
}: {
  title: string
  exit: string
  children: ReactNode
}) {
  return (
    <DarkRoom>
      <h1 className="player-card-title">{title}</h1>
      <p>{children}</p>
      <RoomExit exit={exit}>{words.goBack}</RoomExit>
    </DarkRoom>
  )
}

/** Shows no text at first: most sessions load before anyone could read it. */
export function Waiting() {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), 400)
    return () => clearTimeout(timer)
  }, [])
  return (
    <DarkRoom>
      <FirstFrame name="show" />
      <h1 className="sr-only">{words.player}</h1>
      <output>{isSlow ? words.waiting : ''}</output>
    </DarkRoom>
  )
}
