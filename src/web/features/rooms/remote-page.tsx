/** A phone that controls a room: `/remote/<code>#<token>`. It can be used in the dark, without looking. */
import { useEffect, useMemo, useState } from 'react'
import { useParams } from 'wouter'
import { usePageTitle } from '../../page-title.ts'
import { createWakeLock } from '../player/outside/wake-lock.ts'
import { Controls } from './controls.tsx'
import { leadBy } from './lead-room.ts'
import { othersIn } from './room-connection.ts'
import { Dark, RoomOver, Unreached } from './room-notes.tsx'
import { useRoom } from './use-room.ts'
import { words } from './words.ts'

export function RemotePage() {
  const { code = '' } = useParams()
  const token = window.location.hash.slice(1)
  const { connection, view } = useRoom(code)
  const [isRefused, setIsRefused] = useState(false)
  usePageTitle(words.lead)
  useEffect(() => {
    const lock = createWakeLock()
    lock.setOn(true)
    return () => lock.close()
  }, [])
  const lead = useMemo(
    () => leadBy(connection, { token, onRefused: () => setIsRefused(true) }),
    [connection, token],
  )
  if (view.over) return <RoomOver over={view.over} />
  if (token === '' || isRefused)
    return (
      <Dark>
        <h1 className="room-card-title">{words.notLeading}</h1>
        <p>{words.notLeadingHint}</p>
      </Dark>
    )
  if (!view.room)
    return (
      <Dark>
        <h1 className="sr-only">{words.lead}</h1>
        <output>{words.connecting}</output>
      </Dark>
    )
  return (
    <main className="room-remote" data-theme="dark">
      <header>
        <div className="flex items-baseline justify-between gap-3">
          <h1 className="show-voice truncate text-xl font-[500]">
            <bdi>{view.room.session.title}</bdi>
          </h1>
          <p className="flex-none text-sm text-ink-2">{words.others({ count: othersIn(view) })}</p>
        </div>
        <output className="block text-sm text-caution">{!view.isReached && <Unreached />}</output>
      </header>
      <Controls connection={connection} view={view} lead={lead} />
    </main>
  )
}
