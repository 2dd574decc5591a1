/** The selected slide, large and with its caption as in the player, and the actions for it. */
import { ArrowDown, ArrowUp, Blend, CopyPlus, ImageUp, Timer, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { IconButton } from '../../ui/button.tsx'
import { OverlayText } from '../../ui/overlay-text.tsx'
import { formatNumber, formatTypedNumber } from '../../words/figures.ts'
import { sentence } from '../../words/sentence.ts'
import type { Session } from '../sessions/session-data.ts'
import { LargePicture } from './slide-picture.tsx'
import type { EditedSlide } from './slides.ts'
import { words } from './words.ts'

export type Pace = Pick<Session, 'intervalMin' | 'intervalMax'>

/** The slide whose picture is the cover of the session. */
export type Cover = {
  readonly key: string | null
  readonly choose: (slide: EditedSlide) => void
}

export function SlideStage({
  slide,
  position,
  total,
  pace,
  cover,
  isLocked,
  onDuration,
  onSettle,
  onMove,
  onDuplicate,
  onRemove,
}: {
  slide: EditedSlide
  position: number
  total: number
  pace: Pace
  cover: Cover
  isLocked: boolean
  onDuration: (durationMs: number | null) => void
  onSettle: () => void
  onMove: (to: number) => void
  onDuplicate: () => void
  onRemove: () => void
}) {
  const hasStill = slide.thumbnail !== null || slide.type !== 'video'
  const [unread] = useState(() => new Map<string, string>())
  return (
    <div className="grid min-w-0 bg-well lg:min-h-0 lg:grid-rows-[minmax(0,1fr)_auto]">
      <div className="grid max-lg:bg-picture-burn lg:m-[22px] lg:mb-0 lg:[container-type:size]">
        <figure className="relative m-auto aspect-3/2 w-full overflow-hidden bg-picture-burn max-lg:max-w-[40rem] lg:w-[min(100cqw,150cqh)] lg:rounded-aperture">
          <LargePicture slide={slide} name={words.slideNumber({ position })} />
          {slide.caption.trim() !== '' && <Words text={slide.caption} />}
        </figure>
      </div>
      <div className="flex flex-wrap items-center gap-x-1 gap-y-1 px-3 py-2 lg:h-16 lg:px-[22px]">
        <DurationField
          key={slide.key}
          slideKey={slide.key}
          unread={unread}
          durationMs={slide.durationMs}
          pace={pace}
          isLocked={isLocked}
          onChange={onDuration}
          onSettle={onSettle}
        />
        <p className="ms-auto flex items-center gap-1.5 text-xs text-ink-3 max-xl:hidden">
          {sentence(words.moveKeys, {
            alt: <kbd className={keyLook}>{words.altKey}</kbd>,
            arrows: <ArrowKeys />,
          })}
        </p>
        <div className="flex max-xl:ms-auto xl:ms-2">
          {/* The arrows point along the strip, which runs from left to right in every language. */}
          <div dir="ltr" className="flex">
            <IconButton
              label={words.moveEarlier}
              icon={<ArrowUp size={18} aria-hidden="true" className="max-lg:-rotate-90" />}
              className={fading}
              aria-disabled={isLocked || position === 1}
              onClick={() => onMove(position - 2)}
            />
            <IconButton
              label={words.moveLater}
              icon={<ArrowDown size={18} aria-hidden="true" className="max-lg:-rotate-90" />}
              className={fading}
              aria-disabled={isLocked || position === total}
              onClick={() => onMove(position)}
            />
          </div>
          <IconButton
            label={words.makeCover}
            icon={<ImageUp size={18} aria-hidden="true" />}
            className={`${fading} aria-pressed:text-lamp-ink`}
            aria-pressed={slide.key === cover.key}
            aria-disabled={isLocked || !hasStill}
            onClick={() => hasStill && !isLocked && cover.choose(slide)}
          />
          {slide.type === 'image' && slide.mediaUrl !== '' && (
            <Link
              href={`/studio?${new URLSearchParams({ picture: slide.mediaUrl }).toString()}`}
              aria-label={words.openInStudio}
              title={words.openInStudio}
              className="icon-button"
            >
              <Blend size={18} aria-hidden="true" />
            </Link>
          )}
          <IconButton
            label={words.duplicateSlide}
            icon={<CopyPlus size={18} aria-hidden="true" />}
            className={fading}
            aria-disabled={isLocked}
            onClick={onDuplicate}
          />
          <IconButton
            label={words.removeSlide}
            icon={<Trash2 size={18} aria-hidden="true" />}
            className={fading}
            aria-disabled={isLocked}
            onClick={onRemove}
          />
        </div>
      </div>
    </div>
  )
}

function ArrowKeys() {
  return (
    <>
      <kbd className={keyLook}>
        <ArrowUp size={12} aria-hidden="true" />
        <span className="sr-only">{words.arrowUp}</span>
      </kbd>
      <kbd className={keyLook}>
        <ArrowDown size={12} aria-hidden="true" />
        <span className="sr-only">{words.arrowDown}</span>
      </kbd>
    </>
  )
}

function Words({ text }: { text: string }) {
  const size = text.length > 150 ? 'text-[length:clamp(0.875rem,1.35vw,1.2rem)]' : captionSize
  return (
    <>
      <div className="burnt-edge" />
      <figcaption className="pointer-events-none absolute inset-x-4 bottom-[8%] grid justify-items-center">
        <OverlayText
          text={text}
          className={`show-voice max-w-[34ch] text-center leading-[1.34] font-[520] text-picture-ink *:line-clamp-6 ${size}`}
        />
      </figcaption>
    </>
  )
}

const keyLook =
  'grid h-6 min-w-6 place-items-center rounded-[4px] border border-edge px-1.5 font-sans text-2xs'

const fading = 'aria-disabled:cursor-default aria-disabled:bg-transparent aria-disabled:opacity-40'

const captionSize = 'text-[length:clamp(1.0625rem,1.9vw,1.6rem)]'

const minSeconds = 0.1
const maxSeconds = 3600

/** The duration in seconds. Empty means the session's default. */
function DurationField({
  slideKey,
  unread,
  durationMs,
  pace: { intervalMin, intervalMax },
  isLocked,
  onChange,
  onSettle,
}: {
  slideKey: string
  /** Invalid input by slide key. It stays in the field until it is a valid duration. */
  unread: Map<string, string>
  durationMs: number | null
  pace: Pace
  isLocked: boolean
  onChange: (durationMs: number | null) => void
  onSettle: () => void
}) {
  const id = useId()
  const [typed, setTyped] = useState(unread.get(slideKey) ?? secondsOf(durationMs))
  /** The value that this field has set. `before` is the value before the input. */
  const [own, setOwn] = useState(durationMs)
  const [before, setBefore] = useState(durationMs)
  // Changed from outside, such as by undo.
  if (durationMs !== own) {
    setOwn(durationMs)
    setBefore(durationMs)
    setTyped(secondsOf(durationMs))
  }
  const isWrong = readSeconds(typed) === undefined

  function type(text: string) {
    const read = readSeconds(text)
    const next = read === undefined ? before : read
    setTyped(text)
    setOwn(next)
    onChange(next)
    if (read === undefined) unread.set(slideKey, text)
    else unread.delete(slideKey)
  }

  function leave() {
    if (!isWrong) setTyped(secondsOf(durationMs))
    setBefore(durationMs)
    onSettle()
  }

  const usual =
    intervalMin === intervalMax
      ? formatNumber(intervalMin)
      : words.secondsRange({ from: intervalMin, to: intervalMax })
  return (
    <div className="flex items-center gap-2 text-sm">
      <label className="field flex items-center gap-2 px-2.5 lg:min-h-10">
        <Timer size={16} aria-hidden="true" className="text-ink-3" />
        <span className="sr-only">{words.secondsOnScreen}</span>
        <input
          type="text"
          inputMode="decimal"
          value={typed}
          placeholder={usual}
          readOnly={isLocked}
          aria-invalid={isWrong}
          aria-describedby={`${id}-note`}
          data-undoable=""
          onChange={(event) => type(event.currentTarget.value)}
          onBlur={leave}
          className="w-14 bg-transparent text-base outline-none placeholder:text-ink-3 lg:text-sm"
        />
        <span aria-hidden="true">{words.secondsUnit}</span>
      </label>
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={`text-xs ${isWrong ? 'text-danger' : 'text-ink-3'} ${isWrong ? '' : 'max-lg:sr-only'}`}
      >
        {isWrong
          ? words.secondsWrong({ min: minSeconds, max: maxSeconds })
          : durationMs === null
            ? words.asSession
            : words.forThisSlide}
      </p>
    </div>
  )
}

function secondsOf(durationMs: number | null): string {
  return durationMs === null ? '' : formatTypedNumber(durationMs / 1000)
}

/** Returns undefined for invalid input. */
function readSeconds(typed: string): number | null | undefined {
  const text = typed.trim().replace(',', '.')
  if (text === '') return null
  const seconds = /^\d{1,4}(\.\d{0,3})?$/.test(text) ? Number(text) : Number.NaN
  if (!(seconds >= minSeconds && seconds <= maxSeconds)) return undefined
  return Math.round(seconds * 1000)
}
