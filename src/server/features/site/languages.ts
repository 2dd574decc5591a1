/** The languages that the web client was built with, and which of them a visitor is spoken to in. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { StartError } from '../../platform/start-error.ts'

declare module '../../context.ts' {
  interface Context {
    /** BCP 47 tags, the one that every word is written in first. */
    readonly languages: readonly string[]
  }
}

/** The words of this one stand in the code itself. */
export const sourceLanguage = 'en'

/** What the pages' own chooser writes (src/web/words/language.ts). */
const choiceCookie = 'lanternist_language'

/** As the build leaves it beside the page (vite.config.ts). */
const chunkList = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
)
export type Chunks = z.infer<typeof chunkList>

export async function readChunks(webFolder: string): Promise<Chunks> {
  const list = await readFile(join(webFolder, '.chunks.json'), 'utf8').catch(() => {
    throw new StartError('the web client is of an older version; run `npm run build`')
  })
  return chunkList.parse(JSON.parse(list))
}

/** Every file of words/languages is a language. */
export async function builtLanguages(webFolder: string | null): Promise<string[]> {
  const chunks = webFolder === null ? {} : await readChunks(webFolder)
  const translations = Object.keys(chunks).flatMap((name) => {
    const tag = languageOf(name)
    return tag === null ? [] : [tag]
  })
  return [sourceLanguage, ...translations.toSorted()]
}

/** Whose words this file of the build is, if it is one with words. */
export function languageOf(chunk: string): string | null {
  return /^words\/languages\/([\w-]+)\.json$/.exec(chunk)?.[1] ?? null
}

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
      const [tag = '', weight] = part.trim().split(/\s*;\s*q=/)
      return { tag, weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ tag, weight }) => tag !== '*' && tag !== '' && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}
