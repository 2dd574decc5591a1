/** The title of a session, typed in the voice in which it will be shown. */
import { useId } from 'react'
import { FieldLabel, FieldNote } from '../../ui/field.tsx'

export function TitleField({
  value,
  onChange,
  complaint,
  placeholder = 'Harbours in winter',
}: {
  value: string
  onChange: (title: string) => void
  complaint: string | null
  placeholder?: string | undefined
}) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <FieldLabel htmlFor={id}>Title</FieldLabel>
      <input
        id={id}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        maxLength={200}
        autoComplete="off"
        placeholder={placeholder}
        aria-invalid={complaint !== null}
        aria-describedby={complaint === null ? undefined : `${id}-note`}
        className={`show-voice min-h-14 w-full rounded-t-control border-b bg-transparent focus-visible:outline-offset-4 text-[1.625rem] font-[500] placeholder:text-ink-3 sm:text-2xl ${
          complaint === null ? 'border-edge' : 'border-b-2 border-danger'
        }`}
      />
      {complaint !== null && (
        <FieldNote id={`${id}-note`} isComplaint>
          {complaint}
        </FieldNote>
      )}
    </div>
  )
}
