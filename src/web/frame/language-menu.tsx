/** The choice of the language that the pages speak, offered where the site speaks several. */
import { ChevronDown, Languages } from 'lucide-react'
import { useSite } from '../site.ts'
import { Menu, type MenuEntry } from '../ui/menu.tsx'
import { chooseLanguage, ownName } from '../words/language.ts'
import { translation } from '../words/translation.ts'
import { words } from './words.ts'

/** The choice as a part of any menu; nothing where there is none. */
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

/** Not a select: with its keys every language that is passed by would load the page anew. */
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
