/** A screen of a room: `/tv/<code>` for televisions, `/rooms/<code>` for guests, who can react. */
import { useEffect, useRef, useState } from 'react'
import { useParams } from 'wouter'
import { usePageTitle } from '../../page-title.ts'
import { OverlayText } from '../../ui/overlay-text.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { CreditLine } from '../player/credit-line.tsx'
import { createWakeLock } from '../player/outside/wake-lock.ts'
import './rooms.css'
import { DriftingReactions, ReactionBar } from './reactions.tsx'
import { RoomCode } from './room-code.tsx'
import type { RoomConnection, RoomView } from './room-connection.ts'
import { Dark, RoomOver, RoomOverOnTv, Unreached } from './room-notes.tsx'
import { joinUrlOf } from './room-share.tsx'
import { useRoom, useSlideOn } from './use-room.ts'
import { words } from './words.ts'

export function TvScreenPage() {
  return <ScreenOf isTelevision />
}

export function GuestPage() {
  return <ScreenOf isTelevision={false} />
}

function ScreenOf({ isTelevision }: { isTelevision: boolean }) {
  const { code = '' } = useParams()
  const { connection, view } = useRoom(code)
  usePageTitle(view.room?.session.title ?? words.title({ code: code.toUpperCase() }))
  if (view.over)
    return isTelevision ? <RoomOverOnTv over={view.over} /> : <RoomOver over={view.over} />
  if (!view.room)
    return (
      <Dark>
        <h1 className="sr-only">{words.title({ code: code.toUpperCase() })}</h1>
        <output>{words.connecting}</output>
      </Dark>
    )
  return <Screen connection={connection} view={view} room={view.room} isTelevision={isTelevision} />
}

function Screen({
  connection,
  view,
  room,
  isTelevision,
}: {
  connection: RoomConnection
  view: RoomView
  room: NonNullable<RoomView['room']>
  /** True for a screen that many people see and that has no input; false for a guest's phone. */
  isTelevision: boolean
}) {
  const stage = useRef<HTMLElement>(null)
  const slide = useSlideOn(connection)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    const host = stage.current
    if (!host) return
    const leaving = new AbortController()
    // The code that shows pictures is shared with the player and loads on demand.
    const show = async () => {
      const { openScreen } = await import('./screen.ts')
      if (leaving.signal.aborted) return
      leaving.signal.addEventListener('abort', openScreen(host, connection))
    }
    show().catch(setFailure)
    return () => leaving.abort()
  }, [connection])
  useEffect(() => {
    const lock = createWakeLock()
    lock.setOn(true)
    return () => lock.close()
  }, [])
  // A script that failed to load: the error boundary offers to reload the page.
  if (failure !== null) throw failure
  const { state } = view
  const hasWords = state?.settings.captions && state.status !== 'waiting'
  const caption = hasWords ? (view.media[slide]?.caption ?? '') : ''
  return (
    <main className={`room-dark player ${isTelevision ? '' : 'room-guest'}`} data-theme="dark">
      {state?.status !== 'waiting' && <h1 className="sr-only">{room.session.title}</h1>}
      <section
        ref={stage}
        aria-label={words.show}
        className="room-stage player-stage"
        data-testid="stage"
        data-status={state?.status}
      />
      {caption !== '' && (
        <div className="player-caption" data-place="bottom">
          <OverlayText className="player-lines" text={caption} />
        </div>
      )}
      {state?.status !== 'waiting' && <CreditLine credit={view.media[slide]?.credit} />}
      {state?.status === 'waiting' && (
        <div className="room-card room-waiting">
          <h1 className="room-card-title">
            <bdi>{room.session.title}</bdi>
          </h1>
          <RoomCode code={room.code} />
          {isTelevision && (
            <>
              <QrCode text={joinUrlOf(room.code)} label={words.joinQr} />
              <p>{words.toGuests}</p>
            </>
          )}
          <output>{words.waiting}</output>
        </div>
      )}
      <output className="room-note">{!view.isReached && <Unreached />}</output>
      {state?.blackout && <div className="room-black" data-testid="black" />}
      <DriftingReactions connection={connection} />
      {!isTelevision && <ReactionBar code={room.code} />}
    </main>
  )
}
