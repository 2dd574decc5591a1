/** The page of a session that is being filled: it counts the slides until the session can be played. */
import { useEffect, useState } from 'react'
import { followSession } from '../../../session-events.ts'
import { Ticks } from '../../../ui/ticks.tsx'
import type { Playlist } from '../playlist.ts'
import { DarkRoom, RoomExit } from '../room.tsx'
import { words } from './words.ts'

const slidesOfFill = 25

export function FillingRoom({
  session,
  headers,
  exit,
  onFilled,
}: {
  session: NonNullable<Playlist['session']>
  headers: Playlist['headers']
  exit: string
  onFilled: () => void
}) {
  const [come, setCome] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    void followSession(session.id, {
      headers,
      signal: leaving.signal,
      onEvent: ({ type, data }) => {
        if (type === 'done' || isOver(type, data)) onFilled()
        else if (type === 'media') setCome((count) => count + 1)
      },
    })
    return () => leaving.abort()
  }, [session.id, headers, onFilled])
  return (
    <DarkRoom>
      <h1 className="player-card-title">{session.title}</h1>
      <output>
        {come === 0 ? words.finding : words.found({ found: come, max: slidesOfFill })}
      </output>
      <Ticks
        label={words.slidesFound}
        done={come}
        total={slidesOfFill}
        className="w-[min(22rem,80vw)]"
      />
      <RoomExit exit={exit}>{words.comeBackLater}</RoomExit>
    </DarkRoom>
  )
}

/** True when the first event, the state of the session, shows that the fill has already ended. */
function isOver(type: string, data: unknown): boolean {
  if (type !== 'session' || typeof data !== 'object' || data === null) return false
  return 'fillStatus' in data && (data.fillStatus === 'ready' || data.fillStatus === 'failed')
}
