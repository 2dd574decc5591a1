/** The language of the page. The server has chosen it and sent the page with scripts in that language. */
import { translation } from './translation.ts'

const choiceCookie = 'lanternist_language'

/** The visitor's own way of writing numbers and dates, where it is one of the page's language. */
export function pageLocale(): string {
  const { language } = translation
  const own = navigator.languages.find((tag) => tag === language || tag.startsWith(`${language}-`))
  return own !== undefined && isLocale(own) ? own : language
}

/** Some browsers name a locale of the system that is none to themselves: 'en-US@posix'. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** The page is loaded anew: what it says is decided before it is drawn. */
export function chooseLanguage(tag: string) {
  const yearSeconds = 365 * 24 * 3600
  document.cookie = `${choiceCookie}=${tag}; path=/; max-age=${yearSeconds}; samesite=lax`
  location.reload()
}

/** What a language calls itself: 'Deutsch'. */
export function ownName(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}
