/** A native select with our style. Every phone shows its own list of options. */
import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { FieldLabel } from './field.tsx'

type SelectProps<Value extends string> = {
  label: string
  options: readonly { readonly value: Value; readonly label: string }[]
  value: Value
  onChoose: (value: Value) => void
  /** True among filters: the name is not visible, only read by screen readers. */
  isCompact?: boolean
}

export function Select<Value extends string>({
  label,
  options,
  value,
  onChoose,
  isCompact = false,
}: SelectProps<Value>) {
  const id = useId()
  return (
    <div className={isCompact ? 'shrink-0' : 'grid content-start gap-1.5'}>
      {!isCompact && <FieldLabel htmlFor={id}>{label}</FieldLabel>}
      <div className="relative">
        <select
          id={id}
          aria-label={isCompact ? label : undefined}
          value={value}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.currentTarget.value)
            if (chosen) onChoose(chosen.value)
          }}
          className={`field w-full cursor-pointer appearance-none pe-9 text-ink ${
            isCompact ? 'min-h-9 text-sm font-[500] max-sm:min-h-10' : 'text-base'
          }`}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          size={15}
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 end-3 -translate-y-1/2 text-ink-3"
        />
      </div>
    </div>
  )
}
