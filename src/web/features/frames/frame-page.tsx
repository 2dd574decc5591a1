/**
 * A frame on a wall: pictures, a clock, no controls. It polls its playlist and continues with the last one
 * while the server does not answer.
 */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useParams } from 'wouter'
import { client, statusOf } from '../../api.ts'
import { usePageTitle } from '../../page-title.ts'
import { keys } from '../../query-keys.ts'
import { pageLocale } from '../../words/language.ts'
import { CreditLine } from '../player/credit-line.tsx'
import { createWakeLock } from '../player/outside/wake-lock.ts'
import '../player/player.css'
import type { PlaylistSlide } from '../player/playlist.ts'
import { DarkRoom } from '../player/room.tsx'
import { useThemeColour } from '../player/use-theme-colour.ts'
import { canFullScreen, toggleFullScreen } from '../player/use-screen.ts'
import './frame-page.css'
import { useKeptFrame, useNightlyUpdate } from './frame-keeping.ts'
import { createFrameShow } from './frame-show.ts'
import { isQuiet, isUpdateTime, shiftAt } from './frame-time.ts'
import type { FramePlaylist, FrameSettings } from './frames-client.ts'
import { words } from './words.ts'

/** A change appears within a few minutes. A frame sends a few hundred requests a day. */
const pollAfterMs = 5 * 60_000
const firstAskAgainMs = 30_000
const lookAtClockMs = 5000

export function FramePage() {
  const { token = '' } = useParams()
  const playlist = useQuery({
    queryKey: keys.frame(token),
    queryFn: () => client.frames.playlist({ params: { token } }),
    staleTime: pollAfterMs,
    // A frame without any response yet retries sooner.
    refetchInterval: ({ state: { data, error } }) =>
      data || statusOf(error) !== null ? pollAfterMs : firstAskAgainMs,
    refetchOnReconnect: true,
    // Also while the page is hidden: no user brings a wall page to the foreground.
    refetchIntervalInBackground: true,
    networkMode: 'always',
  })
  usePageTitle(playlist.data?.name ?? words.frame)
  // After the frame has ended, hide the pictures too.
  if (statusOf(playlist.error) === 404)
    return <Message title={words.ended}>{words.endedReason}</Message>
  if (playlist.data) return <Wall token={token} playlist={playlist.data} />
  if (playlist.isError) return <Message title={words.away}>{words.awayReason}</Message>
  return <Message title={words.frame}>{words.waiting}</Message>
}

function Message({ title, children }: { title: string; children: string }) {
  return (
    <DarkRoom>
      <h1 className="player-card-title">{title}</h1>
      <p>{children}</p>
    </DarkRoom>
  )
}

function Wall({ token, playlist }: { token: string; playlist: FramePlaylist }) {
  const { settings, name } = playlist
  const now = useNow()
  const resting = isQuiet(settings, now)
  const [slide, setSlide] = useState<PlaylistSlide | null>(null)
  const stage = useStage(playlist, resting, setSlide)
  const caption = settings.captions && !resting ? slide?.caption : null
  const shift = shiftAt(now)
  const moved = { translate: `${shift.xPx}px ${shift.yPx}px` }
  useThemeColour(false)
  useWakefulness(!resting)
  useFullScreenByTouch()
  useKeptFrame(token, playlist)
  useNightlyUpdate(isUpdateTime(settings, now))
  return (
    <main className="player frame-wall" data-theme="dark">
      <h1 className="sr-only">{name}</h1>
      <div className="frame-stage" style={moved} hidden={resting}>
        <div ref={stage} className="player-stage" />
      </div>
      {playlist.media.length === 0 && !resting && (
        <p className="frame-empty" style={moved}>
          {words.empty}
        </p>
      )}
      {(caption || settings.clock) && !resting && (
        <div className="frame-words" style={moved}>
          {settings.clock && <Clock now={now} settings={settings} />}
          {caption && <p className="frame-caption">{caption}</p>}
        </div>
      )}
      <CreditLine credit={resting ? null : slide?.credit} style={moved} />
    </main>
  )
}

function Clock({ now, settings: { timeZone } }: { now: Date; settings: FrameSettings }) {
  const locale = pageLocale()
  const time = new Intl.DateTimeFormat(locale, { timeZone, hour: 'numeric', minute: '2-digit' })
  const day = new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  })
  return (
    <time className="frame-clock" dateTime={now.toISOString()}>
      <span className="frame-clock-time">{time.format(now)}</span>
      <span className="frame-clock-day">{day.format(now)}</span>
    </time>
  )
}

/** Creates one show for the life of the page and passes new playlists to it. */
function useStage(
  playlist: FramePlaylist,
  resting: boolean,
  onSlide: (slide: PlaylistSlide | null) => void,
) {
  const host = useRef<HTMLDivElement>(null)
  const show = useRef<ReturnType<typeof createFrameShow>>(null)
  useEffect(() => {
    if (!host.current) return
    const running = createFrameShow(host.current, onSlide)
    show.current = running
    return () => running.close()
  }, [onSlide])
  useEffect(() => show.current?.setResting(resting), [resting])
  useEffect(() => show.current?.show(playlist), [playlist])
  return host
}

function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), lookAtClockMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Holds the wake lock. In quiet hours the device may turn its screen off. */
function useWakefulness(isAwake: boolean) {
  useEffect(() => {
    const lock = createWakeLock()
    lock.setOn(isAwake)
    return () => lock.close()
  }, [isAwake])
}

/** Enters full screen on a touch: browsers require a user gesture. */
function useFullScreenByTouch() {
  useEffect(() => {
    const enter = () => {
      if (canFullScreen() && !document.fullscreenElement) toggleFullScreen()
    }
    document.addEventListener('click', enter)
    return () => document.removeEventListener('click', enter)
  }, [])
}
