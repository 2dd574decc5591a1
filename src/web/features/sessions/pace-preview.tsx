/**
 * A preview of the chosen transition and interval: a few pictures that change like in the player. It can be
 * stopped, and starts stopped for users who prefer reduced motion.
 */
import { type RefObject, useEffect, useRef, useState } from 'react'
import { PlayPauseButton } from '../../ui/play-pause-button.tsx'
import { holdMsOf } from '../player/engine/schedule.ts'
import { planTransition } from '../player/stage/transitions.ts'
import type { Session } from './session-data.ts'
import { makingWords } from './making-words.ts'

export type PreviewPicture = {
  readonly mediaUrl: string
  readonly thumbnail: string | null
  readonly type: 'image' | 'gif' | 'video'
}

type Look = Pick<Session, 'transition' | 'intervalMin' | 'intervalMax'>

const maxPictures = 4

export function PacePreview({
  look,
  pictures,
}: {
  look: Look
  pictures: readonly PreviewPicture[]
}) {
  const [isReduced] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches)
  const [isPlaying, setIsPlaying] = useState(!isReduced)
  const stills = pictures.flatMap(stillOf).slice(0, maxPictures)
  const count = Math.max(stills.length, 3)
  const frames = useRef<(HTMLElement | null)[]>([])
  const line = useRef<HTMLDivElement>(null)
  useShow({ frames, line }, look, { count, isPlaying, isReduced })
  return (
    <div className="flex items-center gap-3">
      <div
        aria-hidden="true"
        dir="ltr"
        className="relative aspect-3/2 w-44 shrink-0 overflow-hidden rounded-aperture bg-picture-burn perspective-distant"
      >
        {Array.from({ length: count }, (_, index) => (
          <div
            key={index}
            ref={(element) => {
              frames.current[index] = element
            }}
            className="absolute inset-0 grid place-items-center bg-well"
          >
            {stills[index] === undefined ? (
              <span className="show-voice text-2xl font-[500] text-ink-3">{index + 1}</span>
            ) : (
              <img src={stills[index]} alt="" className="size-full object-cover" />
            )}
          </div>
        ))}
        <div
          ref={line}
          className="absolute inset-x-0 bottom-0 z-10 h-[3px] origin-left scale-x-0 bg-lamp"
        />
      </div>
      <div className="grid justify-items-start gap-1">
        <p className="text-xs text-ink-3">{makingWords.previewNote}</p>
        <PlayPauseButton
          isRunning={isPlaying}
          startLabel={makingWords.playPreview}
          stopLabel={makingWords.stopPreview}
          onClick={() => setIsPlaying(!isPlaying)}
        />
      </div>
    </div>
  )
}

type Drawn = {
  readonly frames: RefObject<(HTMLElement | null)[]>
  readonly line: RefObject<HTMLDivElement | null>
}

function useShow(
  { frames, line }: Drawn,
  { transition, intervalMin, intervalMax }: Look,
  { count, isPlaying, isReduced }: { count: number; isPlaying: boolean; isReduced: boolean },
) {
  const turn = useRef(0)
  useEffect(() => {
    const stack = (top: number) =>
      frames.current.forEach((frame, index) => {
        if (frame)
          frame.style.zIndex =
            index === top % count ? '2' : index === (top + count - 1) % count ? '1' : '0'
      })
    stack(turn.current)
    if (!isPlaying) return
    let timer: ReturnType<typeof setTimeout>
    const hold = () => {
      const pace = { seed: 'preview', intervalMinS: intervalMin, intervalMaxS: intervalMax }
      const ms = holdMsOf({ id: turn.current, durationMs: null }, pace)
      line.current?.animate([{ scale: '0 1' }, { scale: '1 1' }], ms)
      timer = setTimeout(() => change(ms), ms)
    }
    const change = (holdMs: number) => {
      turn.current += 1
      stack(turn.current)
      const { enter, leave, durationMs, easing } = planTransition(transition, {
        step: 1,
        holdMs,
        isReduced,
      })
      const how = { duration: durationMs, easing }
      frames.current[turn.current % count]?.animate(enter, how)
      frames.current[(turn.current - 1) % count]?.animate(leave, how)
      hold()
    }
    // Shows a new choice at once.
    timer = setTimeout(() => change(intervalMin * 1000), 250)
    return () => clearTimeout(timer)
  }, [frames, line, transition, intervalMin, intervalMax, count, isPlaying, isReduced])
}

function stillOf({ thumbnail, type, mediaUrl }: PreviewPicture): string[] {
  if (thumbnail !== null) return [thumbnail]
  return type === 'video' ? [] : [mediaUrl]
}
