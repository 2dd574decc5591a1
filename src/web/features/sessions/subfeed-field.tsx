/** The subfeeds of a session: typed one by one, or taken from what fits the words so far. */
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { client } from '../../api.ts'
import { RemovableChip } from '../../ui/chip.tsx'
import { FieldLabel, FieldNote } from '../../ui/field.tsx'

const mostSubfeeds = 20
const namePattern = /^[a-z0-9_]{2,50}(@[a-z0-9.-]{1,253}(:\d{1,5})?)?$/

export function SubfeedField({
  chosen,
  onChange,
  title,
  complaint,
  help,
}: {
  chosen: readonly string[]
  onChange: (subfeeds: string[]) => void
  /** What the session is called; suggestions fit it. */
  title: string
  complaint: string | null
  help: string
}) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const suggestions = useSuggestions(typed, title).filter((name) => !chosen.includes(name))
  const note = isWrong ? 'Names are letters, digits and _ only.' : complaint

  function add(text: string) {
    const names = text
      .split(/[\s,]+/)
      .map(plainName)
      .filter((name) => name !== '')
    if (names.some((name) => !namePattern.test(name))) return setIsWrong(true)
    onChange([...new Set([...chosen, ...names])].slice(0, mostSubfeeds))
    setTyped('')
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if ((event.key === 'Enter' || event.key === ',') && typed.trim() !== '') {
      event.preventDefault()
      add(typed)
    } else if (event.key === 'Backspace' && typed === '') onChange(chosen.slice(0, -1))
  }

  return (
    <div className="grid gap-1.5">
      <FieldLabel htmlFor={id}>Subfeeds</FieldLabel>
      <div
        className={`flex min-h-12 flex-wrap items-center gap-1.5 rounded-control border bg-field p-[7px] has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-1 has-[input:focus-visible]:outline-focus ${
          note === null ? 'border-edge' : 'border-danger inset-ring inset-ring-danger'
        }`}
      >
        {chosen.map((name) => (
          <RemovableChip
            key={name}
            word={name}
            onRemove={() => onChange(chosen.filter((one) => one !== name))}
          />
        ))}
        <input
          id={id}
          value={typed}
          onChange={(event) => {
            setIsWrong(false)
            setTyped(event.currentTarget.value)
          }}
          onKeyDown={onKeyDown}
          onBlur={() => typed.trim() !== '' && add(typed)}
          placeholder={chosen.length === 0 ? 'Name of a subfeed' : 'Add another'}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={note !== null}
          aria-describedby={`${id}-note`}
          className="min-h-8 min-w-32 grow bg-transparent px-1.5 text-base outline-none placeholder:text-ink-3"
        />
      </div>
      <FieldNote id={`${id}-note`} isComplaint={note !== null}>
        {note ?? help}
      </FieldNote>
      {suggestions.length > 0 && (
        <fieldset aria-label="Suggestions" className="flex flex-wrap items-center gap-2">
          <span className="text-xs text-ink-3">These may fit</span>
          {suggestions.slice(0, 5).map((name) => (
            <button key={name} type="button" className="chip" onClick={() => add(name)}>
              <Plus size={14} aria-hidden="true" />
              {name}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  )
}

/** Where pictures for the words are found. Searches are counted, so they wait for a pause. */
function useSuggestions(typed: string, title: string): string[] {
  const words = useSettled(typed.trim() || title.trim() || 'evening light')
  const { data: posts } = useQuery({
    queryKey: ['subfeed-suggestions', words],
    queryFn: () => client.feeds.search({ body: { query: words, limit: 40 } }),
    enabled: words.length >= 3,
    staleTime: Infinity,
    placeholderData: (shown) => shown,
  })
  return [...new Set(posts?.map(({ subfeed }) => subfeed))]
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 700)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function plainName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^\/?r\//, '')
}
