/** The dark room before and after the pictures: a few words in the middle, and ways on. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useExit } from './outside/exit.ts'

export function DarkRoom({ children }: { children: ReactNode }) {
  return (
    <main className="player" data-theme="dark">
      <div className="player-card">{children}</div>
    </main>
  )
}

export function RoomExit({ exit, children }: { exit: string; children: ReactNode }) {
  return (
    <button type="button" className="player-button" onClick={useExit(exit)}>
      {children}
    </button>
  )
}

export function RoomLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="player-button">
      {children}
    </Link>
  )
}
