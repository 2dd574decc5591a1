/** The caption of the selected slide, with the AI helper and its price below. */
import { useEffect, useId, useRef } from 'react'
import { FieldLabel } from '../../ui/field.tsx'
import { sentence } from '../../words/sentence.ts'
import type { CaptionHelp } from './caption-help.ts'
import { CaptionHelper } from './caption-helper.tsx'
import type { EditedSlide } from './slides.ts'
import { words } from './words.ts'

const maxCharacters = 2000
/** The length that is readable at a glance; longer captions are allowed. */
const easilyRead = 150
const pauseMs = 1000

export function CaptionPanel({
  slides,
  slide,
  help,
  isLocked,
  onCaption,
  onSettle,
}: {
  slides: readonly EditedSlide[]
  slide: EditedSlide
  help: CaptionHelp
  isLocked: boolean
  onCaption: (caption: string) => void
  onSettle: () => void
}) {
  const id = useId()
  const settleSoon = useSettling(onSettle)
  const { length } = slide.caption
  return (
    <div className="grid content-start gap-4 px-4 pt-2 pb-6 max-lg:order-3 lg:min-h-0 lg:gap-[18px] lg:overflow-auto lg:border-s lg:border-hairline lg:px-5 lg:py-[18px]">
      <div className="grid gap-1.5">
        <div className="flex items-baseline justify-between">
          <FieldLabel htmlFor={id}>{words.caption}</FieldLabel>
          <span id={`${id}-count`} className="text-xs text-ink-3">
            {length > easilyRead
              ? words.captionLong({ length })
              : words.captionLength({ length, enough: easilyRead })}
          </span>
        </div>
        <textarea
          id={id}
          rows={4}
          value={slide.caption}
          maxLength={maxCharacters}
          readOnly={isLocked}
          placeholder={words.captionPlaceholder}
          aria-describedby={`${id}-count`}
          data-undoable=""
          onChange={(event) => {
            onCaption(event.currentTarget.value)
            settleSoon()
          }}
          onBlur={onSettle}
          className="field show-voice w-full py-2.5 text-lg leading-[1.45] font-[480]"
        />
      </div>
      <CaptionHelper
        key={slide.key}
        slides={slides}
        slide={slide}
        help={help}
        isLocked={isLocked}
        onUse={onCaption}
      />
      {slide.subfeed !== null && (
        <p className="text-xs text-ink-3">
          {sentence(words.fromSubfeed, { subfeed: <bdi>{slide.subfeed}</bdi> })}{' '}
          {slide.postUrl !== null && (
            <a
              href={slide.postUrl}
              target="_blank"
              rel="noreferrer"
              className="underline underline-offset-2 hover:text-ink"
            >
              {words.openPost}
            </a>
          )}
        </p>
      )}
    </div>
  )
}

/** Ends an undo step when typing pauses. */
function useSettling(onSettle: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(onSettle, pauseMs)
  }
}
