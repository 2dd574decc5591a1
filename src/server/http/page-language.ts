/** Chooses the language of a page for its visitor. */
import { sourceLanguage } from '../../contract/page-languages.ts'

/** The cookie that the language menu of the pages writes (src/web/words/language.ts). */
const choiceCookie = 'lanternist_language'

/** Returns the visitor's choice, or the first language that the browser prefers and the site has. */
export function languageFor(
  languages: readonly string[],
  asked: {
    cookies: Readonly<Record<string, string | undefined>>
    acceptLanguage: string | undefined
  },
): string {
  const wishes = [asked.cookies[choiceCookie] ?? '', ...preferences(asked.acceptLanguage ?? '')]
  for (const wish of wishes) {
    const spoken = languages.find((tag) => isSpoken(tag, wish.toLowerCase()))
    if (spoken !== undefined) return spoken
  }
  return sourceLanguage
}

/** Returns true if 'de' is asked for as 'de-AT', or 'pt-BR' as 'pt'. */
function isSpoken(tag: string, wish: string): boolean {
  const language = tag.toLowerCase()
  return language === wish || wish.startsWith(`${language}-`) || language.startsWith(`${wish}-`)
}

/** Sorts 'de-AT,de;q=0.9,en;q=0.8' by its weights. */
function preferences(header: string): string[] {
  return header
    .split(',', 20)
    .map((part) => {
      const [tag = '', weight] = part.split(';', 2).map((piece) => piece.trim())
      return { tag, weight: weight?.startsWith('q=') ? Number(weight.slice(2)) : 1 }
    })
    .filter(({ tag, weight }) => tag !== '*' && tag !== '' && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}
