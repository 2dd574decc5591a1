/**
 * Builds the scripts of the web client in every language. While the bundle is made, each text of a
 * catalogue is a placeholder. At the end the scripts are written once for each language: English to
 * `assets/`, German to `assets/de/`. So a page loads the words that it uses, in one language alone.
 * The file names stay the same; a placeholder has a hash of all translations, so a name changes with them.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { scriptIn, sourceLanguage } from '../../src/contract/page-languages.ts'
import { catalogueIn, type Texts } from './catalogues.ts'

type Translation = {
  readonly direction: 'ltr' | 'rtl'
  readonly words: Readonly<Record<string, Texts>>
  /** The server's sentences about failures and credits, by their English text. */
  readonly problems: Readonly<Record<string, string>>
}

type Options = {
  /** Has a file for each language but English: `de.json`. */
  readonly folder: string
  /** The module that exports the language and the translated sentences of the server. */
  readonly translationModule: string
}

/** The server reads the languages and their directions here (src/server/features/site/languages.ts). */
const listFile = '.languages.json'
const placeholder = /(["'`])%words:([^%]+):[0-9a-f]{8}%\1/g

export function languages({ folder, translationModule }: Options): Plugin {
  const translations = readTranslations(folder)
  /** By path: the value in each language. */
  const values = new Map<string, Map<string, unknown>>()

  function placeholderFor(
    path: string,
    english: unknown,
    translate: (tag: string, translation: Translation) => unknown,
  ): string {
    const translated = [...translations].map(
      ([tag, translation]) => [tag, translate(tag, translation) ?? english] as const,
    )
    const byLanguage = new Map([[sourceLanguage, english], ...translated])
    values.set(path, byLanguage)
    const hash = createHash('sha256').update(JSON.stringify([...byLanguage]))
    return JSON.stringify(`%words:${path}:${hash.digest('hex').slice(0, 8)}%`)
  }

  function textPlaceholder(path: string, english: string | Texts): string {
    return placeholderFor(path, english, (_, { words }) => valueAt(words, path))
  }

  function translationCode(): string {
    const language = placeholderFor('language', sourceLanguage, (tag) => tag)
    const problems = placeholderFor('problems', {}, (_, translation) => translation.problems)
    // An object: the minifier would write a string constant into the templates that use it.
    return `export const translation = { language: ${language}, problems: ${problems} }`
  }

  function inLanguage(tag: string, code: string): string {
    const translated = code.replaceAll(placeholder, (_, __, path: string) =>
      JSON.stringify(values.get(path)?.get(tag)),
    )
    if (translated.includes('%words:')) throw new Error('the minifier changed a placeholder')
    return translated
  }

  return {
    name: 'languages',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /(words|translation)\.ts$/ },
      handler(code, id) {
        if (id === translationModule) return { code: translationCode(), map: null }
        const entries = catalogueIn(id, code)?.entries ?? []
        let translatable = code
        for (const { path, english, start, end } of entries.toReversed())
          translatable =
            translatable.slice(0, start) + textPlaceholder(path, english) + translatable.slice(end)
        return { code: translatable, map: null }
      },
    },
    generateBundle: {
      // After Vite has written the imports into the scripts.
      order: 'post',
      handler(_, bundle) {
        const scripts = Object.values(bundle).filter((file) => file.type === 'chunk')
        for (const script of scripts) {
          const { code, fileName } = script
          for (const tag of translations.keys())
            this.emitFile({
              type: 'asset',
              fileName: scriptIn(tag, fileName),
              source: inLanguage(tag, code),
            })
          script.code = inLanguage(sourceLanguage, code)
        }
        const directions = [...translations].map(([tag, { direction }]) => [tag, direction])
        const list = Object.fromEntries([[sourceLanguage, 'ltr'], ...directions])
        this.emitFile({ type: 'asset', fileName: listFile, source: JSON.stringify(list) })
      },
    },
  }
}

function readTranslations(folder: string): ReadonlyMap<string, Translation> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return new Map(
    files
      .toSorted()
      .map((name) => [
        name.slice(0, -'.json'.length),
        JSON.parse(readFileSync(join(folder, name), 'utf8')) as Translation,
      ]),
  )
}

function valueAt(texts: Texts, path: string): string | Texts | undefined {
  let value: string | Texts | undefined = texts
  for (const name of path.split('.')) value = typeof value === 'object' ? value[name] : undefined
  return value
}
