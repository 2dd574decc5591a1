/** The large controls of a room: the current and the next slide, and all commands. */
import {
  Captions,
  CaptionsOff,
  ChevronLeft,
  ChevronRight,
  Eye,
  EyeOff,
  Pause,
  Play,
  Repeat,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { speeds } from '../player/engine/speeds.ts'
import type { Lead } from './lead-room.ts'
import type { RoomSlide } from './room-client.ts'
import type { RoomConnection, RoomView } from './room-connection.ts'
import { useSlideOn } from './use-room.ts'
import { words } from './words.ts'
import './rooms.css'

const iconPx = 28

export function Controls({
  connection,
  view,
  lead,
}: {
  connection: RoomConnection
  view: RoomView
  lead: Lead
}) {
  const slide = useSlideOn(connection)
  const { state, media } = view
  if (!state) return null
  const { settings, blackout, status } = state
  const isPlaying = status === 'playing'
  const total = media.length
  const after = slide + 1 < total ? slide + 1 : settings.loop && total > 0 ? 0 : null
  return (
    <div className="room-controls">
      <output className="sr-only">
        {words.spoken({ slide: slide + 1, total, status: words.status[status] })}
      </output>
      <div className="room-previews">
        <Preview name={words.now} slide={media[slide]}>
          {words.slideOf({ slide: Math.min(slide + 1, total), total })}
        </Preview>
        <Preview name={words.after} slide={after === null ? undefined : media[after]}>
          {after === null ? words.nothing : words.slideOf({ slide: after + 1, total })}
        </Preview>
      </div>
      <div className="grid grid-cols-3 gap-3">
        <Big name={words.previous} onPress={() => lead({ command: 'previous' })}>
          <ChevronLeft size={iconPx} aria-hidden="true" />
        </Big>
        <Big
          name={isPlaying ? words.pause : words.play}
          isLit
          onPress={() => lead({ command: isPlaying ? 'pause' : 'play' })}
        >
          {isPlaying ? (
            <Pause size={iconPx} aria-hidden="true" />
          ) : (
            <Play size={iconPx} aria-hidden="true" />
          )}
        </Big>
        <Big name={words.next} onPress={() => lead({ command: 'next' })}>
          <ChevronRight size={iconPx} aria-hidden="true" />
        </Big>
      </div>
      <fieldset className="room-speeds" aria-label={words.speed}>
        {speeds.map((speed) => (
          <Big
            key={speed}
            name={words.speedOf({ speed })}
            isOn={state.speed === speed}
            onPress={() => lead({ command: 'speed', speed })}
          >
            {words.speedOf({ speed })}
          </Big>
        ))}
      </fieldset>
      <div className="grid grid-cols-3 gap-3">
        <Big
          name={words.captions}
          isOn={settings.captions}
          onPress={() => lead({ command: 'settings', settings: { captions: !settings.captions } })}
        >
          {settings.captions ? (
            <Captions size={iconPx} aria-hidden="true" />
          ) : (
            <CaptionsOff size={iconPx} aria-hidden="true" />
          )}
          <span className="text-sm">{words.captions}</span>
        </Big>
        <Big
          name={words.loop}
          isOn={settings.loop}
          onPress={() => lead({ command: 'settings', settings: { loop: !settings.loop } })}
        >
          <Repeat size={iconPx} aria-hidden="true" />
          <span className="text-sm">{words.loop}</span>
        </Big>
        <Big
          name={words.blackout}
          isOn={blackout}
          onPress={() => lead({ command: 'blackout', blackout: !blackout })}
        >
          {blackout ? (
            <EyeOff size={iconPx} aria-hidden="true" />
          ) : (
            <Eye size={iconPx} aria-hidden="true" />
          )}
          <span className="text-sm">{words.blackout}</span>
        </Big>
      </div>
    </div>
  )
}

function Big({
  name,
  isOn,
  isLit = false,
  onPress,
  children,
}: {
  name: string
  /** Only for toggles. */
  isOn?: boolean
  isLit?: boolean
  onPress: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={name}
      aria-pressed={isOn}
      className={`room-big ${isLit ? 'is-lit' : ''}`}
      onClick={onPress}
    >
      {children}
    </button>
  )
}

function Preview({
  name,
  slide,
  children,
}: {
  name: string
  slide: RoomSlide | undefined
  children: string
}) {
  const address = slide && smallPicture(slide)
  return (
    <figure className="room-preview">
      <div className="room-preview-picture">
        {/* The key makes each picture a new element, so that the previous one disappears while the next
           loads. */}
        {address && <img key={address} src={address} alt={slide?.caption ?? ''} />}
      </div>
      <figcaption className="flex justify-between gap-2 text-xs text-ink-2">
        <span>{name}</span>
        <span>{children}</span>
      </figcaption>
    </figure>
  )
}

function smallPicture({ sizes, thumbnail, type, mediaUrl }: RoomSlide): string | null {
  return sizes?.[320] ?? thumbnail ?? (type === 'video' ? null : mediaUrl)
}
