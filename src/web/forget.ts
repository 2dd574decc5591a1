/** Removes the data of the account that signs out from this device. */
import { forgetStored } from './device-storage.ts'
import { forgetAllDrafts } from './drafts.ts'
import { endAccountStores } from './features/accounts/account-store.ts'
import { captionPrefix } from './features/player/outside/caption-cache.ts'
import { lastSlidesKey } from './features/player/outside/last-slide.ts'
import { forgetKept } from './worker/kept-names.ts'

export async function forgetDevice(): Promise<void> {
  forgetAllDrafts()
  endAccountStores()
  for (const prefix of [captionPrefix, lastSlidesKey]) forgetStored(prefix)
  if ('caches' in globalThis) await forgetKept(caches, { withShared: true })
}
