/** The page's queue of uploads, with the real network and clock, and as a hook for what shows it. */
import { useSyncExternalStore } from 'react'
import type { client } from '../api.ts'
import { whenUserIsNamed } from '../features/accounts/unsaved-work.ts'
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

/** Nothing has moved for so long: the connection is gone, though nobody said so. */
const silenceMs = 120_000

export const uploadQueue = createUploadQueue<StoredUpload>({
  send: sendFile,
  newIdempotencyKey,
  nowMs: () => Date.now(),
  setTimer(run, ms) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  isOnline: () => navigator.onLine,
})

window.addEventListener('online', () => uploadQueue.goOn())

/** A file goes into the vault of whoever is signed in, so it is never sent for anyone but its owner. */
let ownerId: string | null = null
let isOwnerAway = false
whenUserIsNamed((id) => {
  if (id === null) {
    isOwnerAway = true
    uploadQueue.pause()
    return
  }
  if (ownerId !== null && id !== ownerId) uploadQueue.remove(() => true)
  if (isOwnerAway) uploadQueue.resume()
  ownerId = id
  isOwnerAway = false
})

export function useUploads(): UploadsNow {
  return useSyncExternalStore(subscribe, () => uploadQueue.now())
}

const subscribe = (notify: () => void) => uploadQueue.subscribe(notify)

export function isUnfinished({ state }: Upload): boolean {
  return state === 'waiting' || state === 'sending'
}

/** One file in one request; given up when nothing moves any more. */
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
