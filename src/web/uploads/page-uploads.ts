/** The page's queue of uploads, with the real network and clock, and as a hook for what shows it. */
import { useSyncExternalStore } from 'react'
import type { client } from '../api.ts'
import { uploadingClient } from '../uploading-client.ts'
import { createUploadQueue, type Upload, type UploadsNow } from './upload-queue.ts'

export type VaultFile = Awaited<ReturnType<typeof client.vault.list>>['files'][number]

/** Nothing has moved for so long: the connection is gone, though nobody said so. */
const silenceMs = 120_000

export const uploadQueue = createUploadQueue<VaultFile>({
  send: sendToVault,
  nowMs: () => Date.now(),
  setTimer(run, ms) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  isOnline: () => navigator.onLine,
})

window.addEventListener('online', () => uploadQueue.goOn())

export function useUploads(): UploadsNow {
  return useSyncExternalStore(uploadQueue.subscribe, uploadQueue.now)
}

export function useBatch(batch: number | null): readonly Upload[] {
  const { uploads } = useUploads()
  return uploads.filter((upload) => upload.batch === batch)
}

export function isUnfinished({ state }: Upload): boolean {
  return state === 'waiting' || state === 'sending'
}

async function sendToVault(
  file: File,
  how: { onShare: (share: number) => void; signal: AbortSignal },
): Promise<VaultFile> {
  const { media } = await sendFile(file, 'general', how)
  if (media === null) throw new TypeError('The answer has no record of the file')
  return media
}

/** One file in one request; given up when nothing moves any more. */
export async function sendFile(
  file: File,
  source: 'general' | 'profile',
  { onShare, signal }: { onShare: (share: number) => void; signal: AbortSignal },
) {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  const heard = (share: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMs)
    onShare(share)
  }
  try {
    return await uploadingClient(heard).vault.upload({
      form: { source, file },
      signal: AbortSignal.any([signal, silence.signal]),
    })
  } finally {
    clearTimeout(timer)
  }
}
