/**
 * A labelled text field with its help or its complaint beneath, both tied to it for screen readers.
 * The browser's own constraints (required, type, minLength) decide; the words are ours.
 */
import { type ComponentProps, useId, useState } from 'react'

type FieldProps = {
  label: string
  name: string
  /** Said when the form is sent and the browser finds the value wrong. */
  complaint: string
  help?: string
} & Omit<ComponentProps<'input'>, 'id' | 'className' | 'onInvalid' | 'onInput'>

export function Field({ label, complaint, help, type, ...input }: FieldProps) {
  const id = useId()
  const [isWrong, setIsWrong] = useState(false)
  const [isShown, setIsShown] = useState(false)
  const isPassword = type === 'password'
  const note = isWrong ? complaint : help
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-[560]">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          id={id}
          type={isPassword && isShown ? 'text' : type}
          onInvalid={() => setIsWrong(true)}
          onInput={() => setIsWrong(false)}
          aria-invalid={isWrong}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          className={`min-h-11 w-full rounded-control border bg-well px-3 text-base focus-visible:outline-offset-1 ${
            isWrong ? 'border-danger inset-ring inset-ring-danger' : 'border-edge'
          } ${isPassword ? 'pr-16' : ''}`}
        />
        {isPassword && <ShowSwitch isShown={isShown} onSwitch={() => setIsShown(!isShown)} />}
      </div>
      {note !== undefined && (
        <p id={`${id}-note`} className={`text-xs ${isWrong ? 'text-danger' : 'text-ink-3'}`}>
          {note}
        </p>
      )}
    </div>
  )
}

function ShowSwitch({ isShown, onSwitch }: { isShown: boolean; onSwitch: () => void }) {
  const word = isShown ? 'Hide' : 'Show'
  return (
    <button
      type="button"
      aria-label={`${word} password`}
      onClick={onSwitch}
      className="absolute inset-y-0 right-0 w-16 cursor-pointer rounded-control text-sm font-[560] text-ink-2 hover:text-ink focus-visible:-outline-offset-4"
    >
      {word}
    </button>
  )
}
