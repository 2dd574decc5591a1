/** Which of the languages that something is written in a visitor is spoken to in. */
import { sourceLanguage } from '../../contract/page-languages.ts'

/** What the pages' own chooser writes (src/web/words/language.ts). */
const choiceCookie = 'lanternist_language'

/** What the visitor has chosen, else the first that the browser asks for and the site speaks. */
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

/** 'de' serves whoever asks for 'de-AT', and 'pt-BR' whoever asks for 'pt'. */
function isSpoken(tag: string, wish: string): boolean {
  const language = tag.toLowerCase()
  return language === wish || wish.startsWith(`${language}-`) || language.startsWith(`${wish}-`)
}

/** 'de-AT,de;q=0.9,en;q=0.8' in the order of its weights. */
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
