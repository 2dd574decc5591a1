/**
 * The words of a feature. They are written in English beside the feature; a file of words/languages
 * has the same in another language, and may leave nothing out (test/tidy/words.test.ts). The build
 * replaces the English texts by those of each language (scripts/web-build/languages.ts).
 */
import { formatNumber } from './figures.ts'
import { pageLocale } from './language.ts'

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
  /** The name that the languages have the texts by. */
  _feature: string,
  texts: Entries,
): Said<Entries> {
  // What `say` makes of each entry is what its type says.
  return say(texts) as Said<Entries>
}

function say(texts: English): unknown {
  const said = Object.entries(texts).map(([name, entry]) => {
    if (typeof entry === 'string') return [name, sayText(entry)]
    return [name, isPlural(entry) ? sayCounted(entry) : say(entry)]
  })
  return Object.fromEntries(said)
}

function sayText(text: string) {
  return text.includes('{') ? (values: object) => fill(text, values) : text
}

function sayCounted(forms: Plural) {
  const rules = new Intl.PluralRules(pageLocale())
  return (values: { count: number }) =>
    fill(forms[rules.select(values.count)] ?? forms.other, values)
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
