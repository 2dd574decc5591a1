/**
 * The entry of the web client: first the words, then the pages that are written in them. Where a network
 * is lost before they are there, the page begins anew when it is back.
 */
import { listenForEarlyDrop } from './uploads/early-drop.ts'
import { loadLanguage } from './words/language.ts'

start().catch(() => (window.ononline = () => window.location.reload()))

// No await at the top of this module: what is loaded here imports from its file, and would wait for it.
async function start() {
  listenForEarlyDrop()
  await loadLanguage()
  const { drawApp } = await import('./draw-app.tsx')
  await drawApp()
}
