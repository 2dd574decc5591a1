/** The languages that the web client was built with. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { sourceLanguage } from '../../http/page-language.ts'
import { StartError } from '../../platform/start-error.ts'

declare module '../../context.ts' {
  interface Context {
    /** BCP 47 tags, the one that every word is written in first. */
    readonly languages: readonly string[]
  }
}

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
