/** The dark room before the pictures: a few words in the middle, and the way out. */
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { useExit } from './outside/exit.ts'
import { useThemeColour } from './use-theme-colour.ts'

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
