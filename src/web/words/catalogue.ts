/**
 * The words of a feature. They are written in English beside the feature; a file of words/languages
 * says the same in another language, and may leave nothing out (test/tidy/words.test.ts).
 */
import { formatNumber } from './figures.ts'
import { pageLocale, spokenTranslation, type Texts } from './language.ts'

/** One text, or one for each of the numbers that a language tells apart ('one', 'other', …). */
type Plural = { readonly [Category in Intl.LDMLPluralRule]?: string } & { readonly other: string }
type English = { readonly [name: string]: string | Plural | English }

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never

/** What fills the places in a text. A number is written as the visitor's locale writes it. */
type Values<Text extends string> = { readonly [Name in Names<Text>]: string | number }

type Said<Entry> = Entry extends string
  ? [Names<Entry>] extends [never]
    ? string
    : (values: Values<Entry>) => string
  : Entry extends { readonly other: infer Other extends string }
    ? (values: Values<Other> & { readonly count: number }) => string
    : { readonly [Name in keyof Entry]: Said<Entry[Name]> }

/**
 * A text without places is a string; one with places (`'{count} of {total}'`) is a function of what
 * stands in them. A record of several forms is chosen from by its `count`.
 */
export function catalogue<const Entries extends English>(
  feature: string,
  english: Entries,
): Said<Entries> {
  const translated = spokenTranslation()?.words[feature]
  // What `say` makes of each entry is what its type says.
  return say(english, translated) as Said<Entries>
}

function say(english: English, translated: Texts | undefined): unknown {
  const said = Object.entries(english).map(([name, entry]) => {
    const other = translated?.[name]
    if (typeof entry === 'string') return [name, sayText(typeof other === 'string' ? other : entry)]
    const texts = typeof other === 'object' ? other : undefined
    return [name, isPlural(entry) ? sayCounted(texts ?? entry) : say(entry, texts)]
  })
  return Object.fromEntries(said)
}

function sayText(text: string) {
  return text.includes('{') ? (values: object) => fill(text, values) : text
}

function sayCounted(forms: Texts) {
  const rules = new Intl.PluralRules(pageLocale())
  return (values: { count: number }) => {
    const form = forms[rules.select(values.count)] ?? forms['other']
    return fill(typeof form === 'string' ? form : '', values)
  }
}

function fill(text: string, values: object): string {
  const byName = new Map<string, unknown>(Object.entries(values))
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = byName.get(name)
    return typeof value === 'number' ? formatNumber(value) : String(value)
  })
}

function isPlural(entry: English | Plural): entry is Plural {
  return typeof entry['other'] === 'string'
}
