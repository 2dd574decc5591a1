/** A read-only field with a button that copies its text. */
import { Check, Copy } from 'lucide-react'
import { useId, useRef } from 'react'
import { IconButton } from './button.tsx'
import { useCopying } from './copying.ts'
import { words } from './words.ts'

export function CopyField({
  label,
  copyLabel = words.copyLink,
  text,
}: {
  label: string
  copyLabel?: string
  text: string
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { isCopied, copy } = useCopying()

  async function selectAndCopy() {
    // Without a clipboard the text stays selected, so that the user can copy it by hand.
    input.current?.select()
    await copy(text)
  }

  return (
    <div>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <div className="field flex items-center px-0">
        <input
          ref={input}
          id={id}
          readOnly
          value={text}
          onFocus={(event) => event.currentTarget.select()}
          className="min-h-11 min-w-0 grow truncate px-3 text-sm"
        />
        <IconButton
          label={isCopied ? words.copied : copyLabel}
          onClick={() => void selectAndCopy()}
          icon={
            isCopied ? (
              <Check size={18} aria-hidden="true" className="text-good" />
            ) : (
              <Copy size={18} aria-hidden="true" />
            )
          }
        />
      </div>
      <output className="sr-only">{isCopied ? words.copied : ''}</output>
    </div>
  )
}
