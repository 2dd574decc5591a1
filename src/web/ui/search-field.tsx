/** A search field that waits for a pause in typing, so that not every letter is a request. */
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
  // Follows a change from outside, such as a button that clears the search. The field's own search returns
  // trimmed; then the typed text stays, with the space before the next word.
  if (words !== lastWords) {
    setLastWords(words)
    if (words !== typed.trim()) setTyped(words)
  }
  useEffect(() => {
    if (typed.trim() === words) return
    const timer = setTimeout(() => onSearch(typed.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed, words, onSearch])
  return (
    <label className="field flex items-center gap-2 sm:min-h-10 sm:w-64 sm:shrink-0">
      <Search size={16} aria-hidden="true" className="shrink-0 text-ink-3" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        className="min-w-0 grow text-base sm:text-md"
      />
    </label>
  )
}
