/**
 * A frame on a wall: pictures, a clock, nothing to press. It asks now and then what it is to play,
 * and goes on with what it has while nobody answers.
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

/** Within a few minutes a change is on the wall; a screen asks a few hundred times a day. */
const askAgainMs = 5 * 60_000
const firstAskAgainMs = 30_000
const lookAtClockMs = 5000

export function FramePage() {
  const { token = '' } = useParams()
  const playlist = useQuery({
    queryKey: keys.frame(token),
    queryFn: () => client.frames.playlist({ params: { token } }),
    staleTime: askAgainMs,
    // A wall that never heard anything asks sooner.
    refetchInterval: ({ state: { data, error } }) =>
      data || statusOf(error) !== null ? askAgainMs : firstAskAgainMs,
    refetchOnReconnect: true,
    // A wall is looked at by nobody most of the time.
    refetchIntervalInBackground: true,
    networkMode: 'always',
  })
  usePageTitle(playlist.data?.name ?? words.frame)
  // Once it has ended, what was shown is not shown any more.
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

/** The show lives as long as the page does; new playlists are handed to it. */
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

/** In quiet hours the device may do with its screen what it likes. */
function useWakefulness(isAwake: boolean) {
  useEffect(() => {
    const lock = createWakeLock()
    lock.setOn(isAwake)
    return () => lock.close()
  }, [isAwake])
}

/** A browser gives the whole screen only to who touches it. */
function useFullScreenByTouch() {
  useEffect(() => {
    const enter = () => {
      if (canFullScreen() && !document.fullscreenElement) toggleFullScreen()
    }
    document.addEventListener('click', enter)
    return () => document.removeEventListener('click', enter)
  }, [])
}
