/** A film on the stage with our own controls: play, pause, seek, sound. */
import { Volume2, VolumeX } from 'lucide-react'
import { useRef, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { FilmElement } from '../../ui/film-element.tsx'
import { PlayPauseButton } from '../../ui/play-pause-button.tsx'
import { SliderTrack } from '../../ui/slider.tsx'
import { words } from './words.ts'

export function Film({
  src,
  poster,
  name,
  onFail,
}: {
  src: string
  poster: string | null
  name: string
  onFail: () => void
}) {
  const film = useRef<HTMLVideoElement>(null)
  const [isPlaying, setIsPlaying] = useState(false)
  const [isMuted, setIsMuted] = useState(true)
  const [atS, setAtS] = useState(0)
  const [lengthS, setLengthS] = useState(0)
  const toggle = () => {
    if (!film.current) return
    // The film's 'error' event reports failures. A play() that a new source interrupts is no failure.
    if (film.current.paused) void film.current.play().catch(() => {})
    else film.current.pause()
  }
  return (
    // Not a grid: WebKit gives the film the height of all rows, and it would cover the controls.
    <div dir="ltr" className="absolute inset-0 flex flex-col">
      <FilmElement
        film={film}
        src={src}
        poster={poster ?? undefined}
        aria-label={name}
        loop
        playsInline
        preload="metadata"
        onClick={toggle}
        onPlay={() => setIsPlaying(true)}
        onPause={() => setIsPlaying(false)}
        onTimeUpdate={(event) => setAtS(event.currentTarget.currentTime)}
        onDurationChange={({ currentTarget: { duration } }) =>
          setLengthS(Number.isFinite(duration) ? duration : 0)
        }
        onFail={onFail}
        className="min-h-0 w-full flex-1 cursor-pointer object-contain"
      />
      <div className="flex shrink-0 items-center gap-1 bg-picture-burn px-1 text-picture-ink">
        <PlayPauseButton
          isRunning={isPlaying}
          startLabel={words.playFilm}
          stopLabel={words.stopFilm}
          className={onPicture}
          onClick={toggle}
        />
        <div className="min-w-0 grow px-2">
          <SliderTrack
            aria-label={words.positionInFilm}
            valueText={words.filmTime({ at: clock(atS), length: clock(lengthS) })}
            min={0}
            max={Math.max(lengthS, 0.1)}
            step={0.1}
            value={atS}
            onChange={(seconds) => {
              setAtS(seconds)
              if (film.current) film.current.currentTime = seconds
            }}
          />
        </div>
        <span className="shrink-0 px-1 text-xs tabular-nums" aria-hidden="true">
          {clock(atS)} / {clock(lengthS)}
        </span>
        <IconButton
          label={isMuted ? words.soundOn : words.soundOff}
          icon={
            isMuted ? (
              <VolumeX size={18} aria-hidden="true" />
            ) : (
              <Volume2 size={18} aria-hidden="true" />
            )
          }
          className={onPicture}
          onClick={() => {
            if (film.current) film.current.muted = !isMuted
            setIsMuted(!isMuted)
          }}
        />
      </div>
    </div>
  )
}

const onPicture = 'text-picture-ink hover:bg-picture-ink/15 hover:text-picture-ink'

/** Returns a time such as '1:05'. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
