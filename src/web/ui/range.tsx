/** A range between two bounds: two native sliders on one track that never pass each other. */
import { useEffect, useRef } from 'react'

export function Range({
  label,
  unit,
  min,
  max,
  value: [from, to],
  onChange,
}: {
  label: string
  unit: string
  min: number
  max: number
  value: readonly [number, number]
  onChange: (value: readonly [number, number]) => void
}) {
  const span = useRef<HTMLDivElement>(null)
  // Set by script, not by a style attribute, as the pages' content policy wants it.
  useEffect(() => {
    if (!span.current) return
    span.current.style.left = `${share(from, min, max)}%`
    span.current.style.right = `${100 - share(to, min, max)}%`
  }, [from, to, min, max])
  return (
    <fieldset aria-label={label} className="min-w-0">
      <div className="flex items-baseline justify-between text-sm font-[560]">
        <span>{label}</span>
        <span>{from === to ? `${from} ${unit}` : `${from} to ${to} ${unit}`}</span>
      </div>
      <div className="range">
        <div className="range-track">
          <div ref={span} className="range-span" />
        </div>
        <input
          type="range"
          aria-label={`${label}, at least`}
          aria-valuetext={`${from} ${unit}`}
          min={min}
          max={max}
          value={from}
          onChange={(event) => onChange([Math.min(Number(event.currentTarget.value), to), to])}
        />
        <input
          type="range"
          aria-label={`${label}, at most`}
          aria-valuetext={`${to} ${unit}`}
          min={min}
          max={max}
          value={to}
          onChange={(event) => onChange([from, Math.max(Number(event.currentTarget.value), from)])}
        />
      </div>
      <div className="-mt-1 flex justify-between text-xs text-ink-3" aria-hidden="true">
        <span>
          {min} {unit}
        </span>
        <span>
          {max} {unit}
        </span>
      </div>
    </fieldset>
  )
}

function share(value: number, min: number, max: number): number {
  return ((value - min) / (max - min)) * 100
}
