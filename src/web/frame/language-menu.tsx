/** The choice of the language, if the site has several. */
import { ChevronDown, Languages } from 'lucide-react'
import { useSite } from '../site.ts'
import { Menu, type MenuEntry } from '../ui/menu.tsx'
import { chooseLanguage, ownName } from '../words/language.ts'
import { translation } from '../words/translation.ts'
import { words } from './words.ts'

/** Returns the choice as menu entries; none if there is only one language. */
export function useLanguageEntries(): readonly MenuEntry[] {
  const languages = useSite()?.languages ?? []
  if (languages.length < 2) return []
  return [
    {
      kind: 'choice',
      label: words.language,
      value: translation.language,
      options: languages.map((tag) => ({ value: tag, label: ownName(tag) })),
      onChoose: chooseLanguage,
    },
  ]
}

/** A menu, because a select would change the language, and reload the page, at each arrow key. */
export function LanguageMenu({ align }: { align: 'start' | 'end' }) {
  const entries = useLanguageEntries()
  if (entries.length === 0) return null
  return (
    <Menu
      label={words.language}
      align={align}
      triggerClassName="button button-line button-normal"
      trigger={
        <>
          <Languages size={18} aria-hidden="true" />
          {ownName(translation.language)}
          <ChevronDown size={15} aria-hidden="true" />
        </>
      }
      entries={entries}
    />
  )
}
