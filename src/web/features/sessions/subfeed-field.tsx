/** The field for the feeds of a session: typed one by one, or chosen from suggestions. */
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { RemovableChip } from '../../ui/chip.tsx'
import { FieldLabel, FieldNote } from '../../ui/field.tsx'
import { useSite } from '../../site.ts'
import { makingWords } from './making-words.ts'

/** The form field with the names, joined by commas, for `valuesOf`. */
export const subfeedsName = 'subfeeds'

const maxSubfeeds = 20
// Names of other sources are validated by their source.
const namePattern = /^([a-z0-9_]{2,50}(@[a-z0-9.-]{1,253}(:\d{1,5})?)?|[a-zA-Z]+:.+)$/

export function SubfeedField({
  chosen,
  onChange,
  title,
  help,
}: {
  chosen: readonly string[]
  onChange: (subfeeds: string[]) => void
  /** The title of the session, which the suggestions fit. */
  title: string
  help: string
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const feeds = useSite()?.feeds ?? []
  const [sourceId, setSourceId] = useState('')
  const source = feeds.find((feed) => feed.id === sourceId) ?? feeds[0]
  const prefix = source === undefined || source === feeds[0] ? '' : `${source.id}:`
  const isPrefixed = typed.trim() === '' || /^[a-z]+:(?!\/\/)/i.test(typed.trim())
  const name = isPrefixed ? typed : prefix + typed.trim()
  const suggestions = useSuggestions(name, title).filter((name) => !chosen.includes(name))
  const typedNames = namesIn(name)
  const all = [...new Set([...chosen, ...typedNames])].slice(0, maxSubfeeds)
  const complaint = complaintAbout(all, typedNames)
  const usual = chosen.length === 0 ? makingWords.subfeedName : makingWords.anotherSubfeed
  const placeholder =
    prefix === '' ? usual : makingWords.forExample({ name: source?.example ?? '' })
  useLayoutEffect(() => input.current?.setCustomValidity(complaint), [complaint])

  function addTyped() {
    if (typedNames.some((name) => !namePattern.test(name))) return setIsWrong(true)
    onChange(all)
    setTyped('')
  }

  /** Replaces the typed text, which was the start of the suggestion. */
  function take(name: string) {
    setIsWrong(false)
    onChange([...chosen, name].slice(0, maxSubfeeds))
    setTyped('')
    input.current?.focus()
  }

  function remove(name: string) {
    const next = chosen[chosen.indexOf(name) + 1]
    const target = next === undefined ? input.current : document.getElementById(chipId(id, next))
    target?.focus()
    onChange(chosen.filter((one) => one !== name))
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if ((event.key === 'Enter' || event.key === ',') && typed.trim() !== '') {
      event.preventDefault()
      addTyped()
    } else if (event.key === 'Backspace' && typed === '') onChange(chosen.slice(0, -1))
  }

  return (
    <div
      className="grid gap-1.5"
      onBlur={({ currentTarget, relatedTarget }) => {
        // Moving the focus to a suggestion does not leave the field.
        if (typed.trim() !== '' && !currentTarget.contains(relatedTarget)) addTyped()
      }}
    >
      <FieldLabel htmlFor={id}>{makingWords.subfeeds}</FieldLabel>
      {feeds.length > 1 && (
        <select
          aria-label={makingWords.source}
          value={source?.id}
          onChange={(event) => setSourceId(event.currentTarget.value)}
          className="field min-h-11 px-3 text-base"
        >
          {feeds.map((feed) => (
            <option key={feed.id} value={feed.id}>
              {nameOf(feed)}
            </option>
          ))}
        </select>
      )}
      {source?.needsConnection && (
        <p className="text-sm text-ink-2">
          {makingWords.connectFirst}{' '}
          <a href="/account" className="underline">
            {makingWords.toConnections}
          </a>
        </p>
      )}
      <div className="field flex min-h-12 flex-wrap items-center gap-1.5 p-[7px]">
        {chosen.map((name) => (
          <RemovableChip
            key={name}
            word={name}
            buttonId={chipId(id, name)}
            onRemove={() => remove(name)}
          />
        ))}
        <input
          ref={input}
          id={id}
          value={typed}
          onChange={(event) => {
            setIsWrong(false)
            setTyped(event.currentTarget.value)
          }}
          onKeyDown={onKeyDown}
          onInvalid={() => setIsWrong(true)}
          placeholder={placeholder}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={isWrong}
          aria-describedby={`${id}-note`}
          className="min-h-8 min-w-32 grow px-1.5 text-base"
        />
        <input type="hidden" name={subfeedsName} value={all.join(',')} />
      </div>
      <FieldNote id={`${id}-note`} isComplaint={isWrong}>
        {isWrong ? complaint : help}
      </FieldNote>
      {/* Always one line high, so that nothing below moves when suggestions appear. */}
      <div className="-m-1 h-10 overflow-x-auto p-1 [scrollbar-width:none]">
        {suggestions.length > 0 && (
          <fieldset aria-label={makingWords.suggestions} className="flex w-max items-center gap-2">
            <span className="text-xs text-ink-3">{makingWords.theseMayFit}</span>
            {suggestions.slice(0, 5).map((name) => (
              <button
                key={name}
                type="button"
                className="chip"
                // Some browsers do not focus a pressed button, which would blur the field.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => take(name)}
              >
                <Plus size={14} aria-hidden="true" />
                {name}
              </button>
            ))}
          </fieldset>
        )}
      </div>
    </div>
  )
}

function complaintAbout(all: readonly string[], typedNames: readonly string[]): string {
  if (typedNames.some((name) => !namePattern.test(name))) return makingWords.subfeedWrong
  return all.length === 0 ? makingWords.subfeedMissing : ''
}

/** Returns the name in the page's language, if there is one. */
function nameOf({ id, name }: { readonly id: string; readonly name: string }): string {
  const known: Readonly<Record<string, string>> = makingWords.sources
  return known[id] ?? name
}

function chipId(fieldId: string, name: string): string {
  return `${fieldId}-${name}`
}

/** Returns suggestions for the text. Requests are rate-limited, so they wait for a pause. */
function useSuggestions(typed: string, title: string): string[] {
  const q = useSettled(typed.trim() || title.trim() || 'evening light').slice(0, 100)
  const { data } = useQuery({
    queryKey: keys.subfeedSuggestions(q),
    queryFn: () => client.feeds.suggest({ query: { q } }),
    enabled: q.length >= 3,
    staleTime: Infinity,
    placeholderData: (shown) => shown,
  })
  return data?.items.map(({ name }) => name) ?? []
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 700)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/**
 * Splits the typed text into names. A name with a source prefix may have spaces and capitals; others are
 * lower case, without spaces.
 */
function namesIn(text: string): string[] {
  return text.split(',').flatMap((part) => {
    const name = part.trim()
    if (/^[a-z]+:./i.test(name)) return name
    const words = name.toLowerCase().split(/\s+/)
    return words.map((word) => word.replace(/^\/?r\//, '')).filter((word) => word !== '')
  })
}
