/** A search that runs once the typing pauses, so that not every letter is a request. */
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'

const pauseMs = 350

export function SearchField({
  label,
  words,
  onSearch,
}: {
  label: string
  words: string
  onSearch: (words: string) => void
}) {
  const [typed, setTyped] = useState(words)
  const [lastWords, setLastWords] = useState(words)
  // Cleared or changed from outside, such as by a button that shows all again.
  if (words !== lastWords) {
    setLastWords(words)
    setTyped(words)
  }
  useEffect(() => {
    if (typed.trim() === words) return
    const timer = setTimeout(() => onSearch(typed.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed, words, onSearch])
  return (
    <label className="flex min-h-11 items-center gap-2 rounded-control border border-edge bg-field px-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus sm:min-h-10 sm:w-64 sm:shrink-0">
      <Search size={16} aria-hidden="true" className="shrink-0 text-ink-3" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        className="min-w-0 grow bg-transparent text-base outline-none placeholder:text-ink-3 sm:text-md"
      />
    </label>
  )
}
