/**
 * The texts of a feature. They are written in English beside the feature. A file in words/languages has
 * the same texts in another language and must be complete (test/tidy/words.test.ts). The build replaces
 * the English texts by those of each language (scripts/web-build/languages.ts).
 */
import { formatNumber } from './figures.ts'
import { pageLocale } from './language.ts'

/** One text for each plural category of a language ('one', 'other', …). */
type Plural = { readonly [Category in Intl.LDMLPluralRule]?: string } & { readonly other: string }
type English = { readonly [name: string]: string | Plural | English }

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never

/** The values of a text's placeholders. Numbers are formatted in the visitor's locale. */
type Values<Text extends string> = { readonly [Name in Names<Text>]: string | number }

type Said<Entry> = Entry extends string
  ? [Names<Entry>] extends [never]
    ? string
    : (values: Values<Entry>) => string
  : Entry extends { readonly other: infer Other extends string }
    ? (values: Values<Other> & { readonly count: number }) => string
    : { readonly [Name in keyof Entry]: Said<Entry[Name]> }

/**
 * Makes the texts. A text without placeholders is a string. A text with placeholders (`'{count} of
 * {total}'`) is a function of their values. For a record of plural forms, `count` selects the form.
 */
export function catalogue<const Entries extends English>(
  /** The feature's name in the language files. */
  _feature: string,
  texts: Entries,
): Said<Entries> {
  // The type describes the result of `say` for each entry.
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
