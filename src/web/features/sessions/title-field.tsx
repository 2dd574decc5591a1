/** The title of a session, typed in the typeface in which it is shown. */
import { useId, useState } from 'react'
import { FieldLabel, FieldNote } from '../../ui/field.tsx'
import { makingWords } from './making-words.ts'

export function TitleField({
  value,
  onChange,
  isRequired = true,
  placeholder = makingWords.titleExample,
}: {
  value: string
  onChange: (title: string) => void
  isRequired?: boolean
  placeholder?: string | undefined
}) {
  const id = useId()
  const [isWrong, setIsWrong] = useState(false)
  return (
    <div className="grid gap-1">
      <FieldLabel htmlFor={id}>{makingWords.title}</FieldLabel>
      <input
        id={id}
        value={value}
        onChange={(event) => {
          setIsWrong(false)
          onChange(event.currentTarget.value)
        }}
        onInvalid={() => setIsWrong(true)}
        required={isRequired}
        pattern={isRequired ? '.*\\S.*' : undefined}
        maxLength={200}
        autoComplete="off"
        placeholder={placeholder}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-note` : undefined}
        className={`show-voice min-h-14 w-full rounded-t-control border-b bg-transparent px-3 focus-visible:rounded-control focus-visible:border-transparent text-[1.625rem] font-[500] placeholder:text-ink-3 sm:text-2xl ${
          isWrong ? 'border-b-2 border-danger' : 'border-edge'
        }`}
      />
      {isWrong && (
        <FieldNote id={`${id}-note`} isComplaint>
          {makingWords.titleMissing}
        </FieldNote>
      )}
    </div>
  )
}
