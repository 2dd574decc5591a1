/** What a device holds for whoever is signed in goes when they sign out; who never does never loads this. */
import { forgetAllDrafts } from './drafts.ts'
import { forgetKept } from './worker/kept-names.ts'

export async function forgetDevice(): Promise<void> {
  forgetAllDrafts()
  if ('caches' in globalThis) await forgetKept(caches, { withShared: true })
}
