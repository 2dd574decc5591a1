/** The language of the page. The server has chosen it and has sent scripts in this language. */
import { translation } from './translation.ts'

const choiceCookie = 'lanternist_language'

/** Returns the visitor's locale if it belongs to the page's language, otherwise the page's language. */
export function pageLocale(): string {
  const { language } = translation
  const own = navigator.languages.find((tag) => tag === language || tag.startsWith(`${language}-`))
  return own !== undefined && isLocale(own) ? own : language
}

/** False for system locales that the browser itself does not accept, such as 'en-US@posix'. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** Sets the language and reloads the page: its texts are fixed before it renders. */
export function chooseLanguage(tag: string) {
  const yearSeconds = 365 * 24 * 3600
  document.cookie = `${choiceCookie}=${tag}; path=/; max-age=${yearSeconds}; samesite=lax`
  location.reload()
}

/** Returns the language's own name: 'Deutsch'. */
export function ownName(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}
