/** The languages of the built web client. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { sourceLanguage } from '../../../contract/page-languages.ts'
import { StartError } from '../../platform/start-error.ts'

declare module '../../context.ts' {
  interface Context {
    /** BCP 47 tags. The source language is first. */
    readonly languages: readonly string[]
  }
}

/** The build's list of chunks, stored beside the page (vite.config.ts). */
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
  return chunkList.parse(JSON.parse(await readBuilt(webFolder, '.chunks.json')))
}

const languageList = z.record(z.string(), z.enum(['ltr', 'rtl']))

/** Returns the text direction of each language by its tag, English first. */
export async function readLanguages(
  webFolder: string,
): Promise<Readonly<Record<string, 'ltr' | 'rtl'>>> {
  return languageList.parse(JSON.parse(await readBuilt(webFolder, '.languages.json')))
}

export async function builtLanguages(webFolder: string | null): Promise<string[]> {
  return webFolder === null ? [sourceLanguage] : Object.keys(await readLanguages(webFolder))
}

async function readBuilt(webFolder: string, name: string): Promise<string> {
  return readFile(join(webFolder, name), 'utf8').catch(() => {
    throw new StartError('the web client is of an older version; run `npm run build`')
  })
}
