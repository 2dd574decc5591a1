/** A switch, with an explanation below its name. */
import { useId } from 'react'

export function Switch({
  label,
  help,
  isOn,
  onSwitch,
  isDisabled = false,
}: {
  label: string
  help?: string
  isOn: boolean
  onSwitch: (isOn: boolean) => void
  isDisabled?: boolean
}) {
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-4 py-3">
      <div>
        <label htmlFor={id}>{label}</label>
        {help !== undefined && (
          <p id={`${id}-note`} className="text-xs text-ink-3">
            {help}
          </p>
        )}
      </div>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        className="switch"
        checked={isOn}
        disabled={isDisabled}
        aria-describedby={help === undefined ? undefined : `${id}-note`}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
    </div>
  )
}
