/** The page's upload queue with the real network and clock, and a hook that returns its state. */
import { useSyncExternalStore } from 'react'
import type { client } from '../api.ts'
import { whenAccountEnds, whenUserIsNamed } from '../features/accounts/account-store.ts'
import { hasNetwork } from '../network.ts'
import { siteInPage } from '../site.ts'
import { uploadingClient } from '../uploading-client.ts'
import { newIdempotencyKey } from '../paid-call.ts'
import {
  createUploadQueue,
  type SendOptions,
  type Upload,
  type UploadsNow,
} from './upload-queue.ts'

export type StoredUpload = Awaited<ReturnType<typeof client.vault.upload>>
export type VaultFile = Awaited<ReturnType<typeof client.vault.list>>['files'][number]

/** Without progress for this time, the connection counts as lost. */
const silenceMs = 120_000

export const uploadQueue = createUploadQueue<StoredUpload>({
  send: sendFile,
  newIdempotencyKey,
  nowMs: () => Date.now(),
  setTimer(run, ms) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  isOnline: hasNetwork,
  maxBytes,
})

window.addEventListener('online', () => uploadQueue.goOn())

/** Uploads belong to the vault of the signed-in account, so a change of account removes all of them. */
whenAccountEnds(() => uploadQueue.remove(() => true))

let isOwnerAway = false
whenUserIsNamed((id) => {
  if (id === null) uploadQueue.pause()
  else if (isOwnerAway) uploadQueue.resume()
  isOwnerAway = id === null
})

export function useUploads(): UploadsNow {
  return useSyncExternalStore(subscribe, () => uploadQueue.now())
}

const subscribe = (notify: () => void) => uploadQueue.subscribe(notify)

/** Returns the limit when the page was loaded. The server checks again. */
function maxBytes(): number | null {
  const limitMb = siteInPage()?.uploadLimitMb
  return limitMb === undefined ? null : limitMb * 1024 ** 2
}

export function isUnfinished({ state }: Upload): boolean {
  return state === 'waiting' || state === 'sending'
}

/** Sends one file in one request. Gives up if there is no progress. */
async function sendFile(file: File, how: SendOptions): Promise<StoredUpload> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  const heard = (share: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMs)
    how.onShare(share)
  }
  try {
    return await uploadingClient(heard).vault.upload({
      form: { source: how.purpose, key: how.key, file },
      signal: AbortSignal.any([how.signal, silence.signal]),
    })
  } finally {
    clearTimeout(timer)
  }
}
