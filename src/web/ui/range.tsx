/**
 * A range between two bounds: two native sliders on one track, and two number fields. The scale is
 * logarithmic, so that small values are as easy to set as large ones. A slider that meets the other pushes it
 * along, so that neither can get stuck.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { words } from './words.ts'

type Bounds = readonly [number, number]

type RangeProps = {
  label: string
  unit: string
  min: number
  max: number
  value: Bounds
  onChange: (value: Bounds) => void
}

export function Range({ label, unit, min, max, value: [from, to], onChange }: RangeProps) {
  const span = useRef<HTMLDivElement>(null)
  const scale = { min, max }
  const spokenUnit = unit === 's' ? words.range.seconds : unit
  const setFrom = (value: number) => onChange([value, Math.max(value, to)])
  const setTo = (value: number) => onChange([Math.min(from, value), value])
  // Set by script: the content policy of the pages forbids style attributes.
  useEffect(() => {
    if (!span.current) return
    span.current.style.insetInlineStart = `${100 * fractionAt(from, { min, max })}%`
    span.current.style.insetInlineEnd = `${100 - 100 * fractionAt(to, { min, max })}%`
  }, [from, to, min, max])
  return (
    <fieldset aria-label={label}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm font-[560]">
        <span>{label}</span>
        <span className="flex items-center gap-1.5">
          <NumberField
            label={words.range.shortest({ unit: spokenUnit })}
            {...scale}
            value={from}
            onChange={setFrom}
          />
          <span className="font-normal text-ink-2">{words.range.to}</span>
          <NumberField
            label={words.range.longest({ unit: spokenUnit })}
            {...scale}
            value={to}
            onChange={setTo}
          />
          <span className="font-normal text-ink-2">{unit}</span>
        </span>
      </div>
      <div className="range">
        <div className="range-track">
          <div ref={span} className="range-span" />
        </div>
        <Slider
          label={words.range.atLeast({ label })}
          unit={unit}
          {...scale}
          value={from}
          onChange={setFrom}
        />
        <Slider
          label={words.range.atMost({ label })}
          unit={unit}
          {...scale}
          value={to}
          onChange={setTo}
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

type OneProps = {
  label: string
  unit: string
  min: number
  max: number
  value: number
  onChange: (value: number) => void
}

const steps: Partial<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 5,
  PageDown: -5,
  Home: -Infinity,
  End: Infinity,
}

/** Returns the step of a key. On a right-to-left track the left and right keys are swapped. */
function stepOf({ key, currentTarget }: KeyboardEvent): number | undefined {
  const step = steps[key]
  const isTurned = key === 'ArrowLeft' || key === 'ArrowRight'
  return step !== undefined && isTurned && currentTarget.matches(':dir(rtl)') ? -step : step
}

function Slider({ label, unit, min, max, value, onChange }: OneProps) {
  function onKeyDown(event: KeyboardEvent) {
    const step = stepOf(event)
    if (step === undefined) return
    // A key moves the value by whole units, not by a step of the curve.
    event.preventDefault()
    onChange(Math.min(max, Math.max(min, value + step)))
  }
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={`${value} ${unit}`}
      min={0}
      max={1}
      step="any"
      value={fractionAt(value, { min, max })}
      onKeyDown={onKeyDown}
      onChange={(event) => onChange(valueAt(Number(event.currentTarget.value), { min, max }))}
    />
  )
}

/** Keeps incomplete input in the field until it is a valid number or the field loses the focus. */
function NumberField({ label, min, max, value, onChange }: Omit<OneProps, 'unit'>) {
  const [typed, setTyped] = useState<string | null>(null)
  const isWrong = typed !== null && read(typed, { min, max }) === null
  return (
    <input
      type="text"
      inputMode="numeric"
      aria-label={label}
      aria-invalid={isWrong}
      value={typed ?? value}
      onChange={(event) => {
        const text = event.currentTarget.value
        const number = read(text, { min, max })
        setTyped(text)
        if (number !== null) onChange(number)
      }}
      onBlur={() => setTyped(null)}
      className="field min-h-9 w-12 px-0 text-center tabular-nums"
    />
  )
}

type Scale = { readonly min: number; readonly max: number }

/** Returns the position from 0 to 1. Each doubling of the value takes the same distance. */
export function fractionAt(value: number, { min, max }: Scale): number {
  return Math.log(value / min) / Math.log(max / min)
}

export function valueAt(fraction: number, { min, max }: Scale): number {
  return Math.round(min * (max / min) ** fraction)
}

function read(text: string, { min, max }: Scale): number | null {
  const number = /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN
  return number >= min && number <= max ? number : null
}
