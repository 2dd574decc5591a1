/**
 * A labelled text field. Its help or its error message is below it, linked to it for screen readers. The
 * browser's constraints (required, type, minLength) validate; the messages are ours.
 */
import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { words } from './words.ts'

type FieldProps = {
  label: string
  name: string
  /** The error message, shown when the form is submitted and the browser finds the value invalid. */
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
    <div className="grid content-start gap-1.5">
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <div className="relative">
        <input
          {...input}
          id={id}
          type={isPassword && isShown ? 'text' : type}
          onInvalid={() => setIsWrong(true)}
          onInput={() => setIsWrong(false)}
          aria-invalid={isWrong}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          className={`field w-full text-base ${isPassword ? 'pe-16' : ''}`}
        />
        {isPassword && <ShowSwitch isShown={isShown} onSwitch={() => setIsShown(!isShown)} />}
      </div>
      {note !== undefined && (
        <FieldNote id={`${id}-note`} isComplaint={isWrong}>
          {note}
        </FieldNote>
      )}
    </div>
  )
}

/** Several lines of text. */
export function TextArea({
  label,
  help,
  ...area
}: { label: string; help?: string } & Omit<ComponentProps<'textarea'>, 'id' | 'className'>) {
  const id = useId()
  return (
    <div className="grid content-start gap-1.5">
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <textarea
        rows={4}
        {...area}
        id={id}
        aria-describedby={help === undefined ? undefined : `${id}-note`}
        className="field w-full py-2.5 text-base leading-snug"
      />
      {help !== undefined && <FieldNote id={`${id}-note`}>{help}</FieldNote>}
    </div>
  )
}

export function FieldLabel({ htmlFor, children }: { htmlFor: string; children: ReactNode }) {
  return (
    <label htmlFor={htmlFor} className="text-sm font-[560]">
      {children}
    </label>
  )
}

export function FieldNote({
  id,
  isComplaint = false,
  children,
}: {
  id: string
  isComplaint?: boolean
  children: ReactNode
}) {
  return (
    <p
      id={id}
      className={`flex items-center gap-1.5 text-xs ${isComplaint ? 'text-danger' : 'text-ink-3'}`}
    >
      {isComplaint && <CircleAlert size={14} aria-hidden="true" className="shrink-0" />}
      {children}
    </p>
  )
}

function ShowSwitch({ isShown, onSwitch }: { isShown: boolean; onSwitch: () => void }) {
  const word = isShown ? words.hide : words.show
  return (
    <button
      type="button"
      aria-label={isShown ? words.hidePassword : words.showPassword}
      onClick={onSwitch}
      className="absolute inset-y-0 end-0 w-16 cursor-pointer rounded-control text-sm font-[560] text-ink-2 hover:text-ink focus-visible:-outline-offset-4"
    >
      {word}
    </button>
  )
}
