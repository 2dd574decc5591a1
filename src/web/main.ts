/** The entry of the web client: first the words, then the pages that are written in them. */
import { loadLanguage } from './words/language.ts'

await loadLanguage()
const { drawApp } = await import('./draw-app.tsx')
drawApp()
