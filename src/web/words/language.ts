/**
 * The language that the pages speak. The server has chosen it and written it into the page; its words
 * are loaded before anything is drawn, so a word is a plain value everywhere else.
 */

/** A file of words/languages: every word of the catalogues, by feature and name. */
export type Translation = {
  readonly direction: 'ltr' | 'rtl'
  readonly words: { readonly [feature: string]: Texts }
  /** What the server says of a request that failed and of credits that moved, by its English sentence. */
  readonly problems: Readonly<Record<string, string>>
}

export type Texts = { readonly [name: string]: string | Texts }

const translations = import.meta.glob<Translation>('./languages/*.json', { import: 'default' })

const choiceCookie = 'lanternist_language'

/** The words of this one stand in the code itself. */
let language = 'en'
let spoken: Translation | null = null

/** To be awaited before a page is loaded. */
export async function loadLanguage(): Promise<void> {
  const load = translations[`./languages/${document.documentElement.lang}.json`]
  if (!load) return
  spoken = await load()
  language = document.documentElement.lang
  document.documentElement.dir = spoken.direction
}

/** Null where the words of the code itself are spoken. */
export function spokenTranslation(): Translation | null {
  return spoken
}

export function pageLanguage(): string {
  return language
}

/** The visitor's own way of writing numbers and dates, where it is one of the page's language. */
export function pageLocale(): string {
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
