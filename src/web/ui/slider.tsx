/** One value on a track: a native slider with its name and its value. */
import { type ComponentProps, useEffect, useId, useRef } from 'react'

type TrackProps = {
  /** The value as text, visible and for screen readers. */
  valueText: string
  min: number
  max: number
  step?: number
  value: number
  onChange: (value: number) => void
}

export function Slider({ label, ...track }: TrackProps & { label: string }) {
  const id = useId()
  return (
    <div className="min-w-0">
      <div className="flex items-baseline justify-between text-sm font-[560]">
        <label htmlFor={id}>{label}</label>
        <span aria-hidden="true">{track.valueText}</span>
      </div>
      <SliderTrack id={id} {...track} />
    </div>
  )
}

/** The track alone, for a name that is elsewhere or only for screen readers. */
export function SliderTrack({
  valueText,
  min,
  max,
  step = 1,
  value,
  onChange,
  ...input
}: TrackProps & Pick<ComponentProps<'input'>, 'id' | 'aria-label'>) {
  const span = useRef<HTMLDivElement>(null)
  // Set by script: the content policy of the pages forbids style attributes.
  useEffect(() => {
    if (span.current)
      span.current.style.insetInlineEnd = `${(1 - (value - min) / (max - min)) * 100}%`
  }, [value, min, max])
  return (
    <div className="range range-single">
      <div className="range-track">
        <div ref={span} className="range-span" />
      </div>
      <input
        {...input}
        type="range"
        aria-valuetext={valueText}
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
    </div>
  )
}
