/** A choice of one option: native radio buttons under a common name, drawn as a segment, chips or tiles. */
import { type ReactNode, useId } from 'react'

type Option<Value extends string> = {
  readonly value: Value
  readonly label: string
  readonly drawing?: ReactNode
}

type ChoiceProps<Value extends string> = {
  /** The accessible name of the group. The caller shows a visible one if it needs one. */
  label: string
  options: readonly Option<Value>[]
  value: Value
  onChoose: (value: Value) => void
}

export function Segment<Value extends string>(props: ChoiceProps<Value>) {
  return <Choice {...props} className="segment" optionClassName="" />
}

/** Long labels wrap on a narrow phone. */
const wrappingChip = 'chip h-auto min-h-8 max-w-full py-1 whitespace-normal'

export function ChipChoice<Value extends string>(props: ChoiceProps<Value>) {
  return <Choice {...props} className="flex flex-wrap gap-2" optionClassName={wrappingChip} />
}

/** Options with a small drawing above their name. */
export function TileChoice<Value extends string>(props: ChoiceProps<Value>) {
  return (
    <Choice
      {...props}
      className="grid auto-cols-fr grid-flow-col gap-1.5 sm:gap-2"
      optionClassName="tile grid min-h-[4.5rem] cursor-pointer place-items-center content-center gap-2 rounded-control border border-hairline text-xs text-ink-2 hover:text-ink has-checked:border-ink has-checked:bg-press has-checked:text-ink has-checked:inset-ring has-checked:inset-ring-ink sm:text-sm"
    />
  )
}

function Choice<Value extends string>({
  label,
  options,
  value,
  onChoose,
  className,
  optionClassName,
}: ChoiceProps<Value> & { className: string; optionClassName: string }) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className={className}>
      {options.map((option) => (
        <label key={option.value} className={optionClassName}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
            className="sr-only"
          />
          {option.drawing}
          {option.label}
        </label>
      ))}
    </div>
  )
}
