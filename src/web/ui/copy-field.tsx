/** A text to be copied, with the button that does it. */
import { Check, Copy } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { IconButton } from './button.tsx'

export function CopyField({ label, text }: { label: string; text: string }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), 3000)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy() {
    input.current?.select()
    try {
      await navigator.clipboard.writeText(text)
      setIsCopied(true)
    } catch {
      // Without a clipboard (no TLS, or refused) the text is selected, ready to be copied by hand.
    }
  }

  return (
    <div>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <div className="flex items-center rounded-control border border-edge bg-field">
        <input
          ref={input}
          id={id}
          readOnly
          value={text}
          onFocus={(event) => event.currentTarget.select()}
          className="min-h-11 min-w-0 grow truncate rounded-control bg-transparent px-3 text-sm focus-visible:-outline-offset-2"
        />
        <IconButton
          label={isCopied ? 'Copied' : 'Copy the link'}
          onClick={() => void copy()}
          icon={
            isCopied ? (
              <Check size={18} aria-hidden="true" className="text-good" />
            ) : (
              <Copy size={18} aria-hidden="true" />
            )
          }
        />
      </div>
      <output className="sr-only">{isCopied ? 'Copied' : ''}</output>
    </div>
  )
}
