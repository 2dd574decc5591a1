/**
 * Uploads to the vault. They continue when the page is closed. Files that the vault already has wait until
 * the user decides whether to upload them again.
 */
import type { QueryClient } from '@tanstack/react-query'
import { type Brought, maxFiles } from '../../uploads/brought-files.ts'
import { gatherMedia, type LeftOut, type MediaSource } from '../../uploads/gather-media.ts'
import { joinLeftOut, unreadable, withoutThese } from '../../uploads/left-out.ts'
import { isUnfinished, uploadQueue, useUploads } from '../../uploads/page-uploads.ts'
import { words as uploadWords } from '../../uploads/words.ts'
import { createAccountStore } from '../accounts/account-store.ts'
import { type KnownFile, sortKnown } from './content-hash.ts'
import { refreshNewest } from './vault-cache.ts'

type VaultUploads = {
  readonly batches: readonly number[]
  readonly leftOut: readonly LeftOut[]
  readonly known: readonly KnownFile[]
  /** The number of files that have been checked. */
  readonly looking: { readonly done: number; readonly total: number } | null
}

/** The number of files that are checked in one request. They are sent while the next ones are checked. */
const lookUpSize = 25

const store = createAccountStore<VaultUploads>({
  batches: [],
  leftOut: [],
  known: [],
  looking: null,
})

export function useVaultUploads() {
  const { uploads, isPaused, rest } = useUploads()
  const now = store.use()
  return {
    ...now,
    uploads: uploads.filter(({ batch }) => now.batches.includes(batch)),
    isPaused,
    rest,
  }
}

export async function takeIntoVault(queryClient: QueryClient, coming: Promise<Brought>) {
  try {
    const gathered = await gatherMedia(await coming, undefined, maxFiles)
    const others = [...gathered.archives, ...gathered.others]
    leaveOut([
      ...gathered.leftOut,
      ...others.map(({ name }) => ({ name, why: uploadWords.notMedia })),
    ])
    await lookAndSend(queryClient, gathered.media)
  } catch {
    leaveOut([unreadable])
    change({ looking: null })
  }
}

/** Uploads the known files again. */
export function sendKnown(queryClient: QueryClient) {
  const sources = store.read().known.map(({ source }) => source)
  change({ known: [] })
  send(queryClient, sources)
}

export function skipKnown() {
  change({ known: [] })
}

export function dismissLeftOut(gone: readonly LeftOut[]) {
  change({ leftOut: withoutThese(store.read().leftOut, gone) })
}

function leaveOut(more: readonly LeftOut[]) {
  change({ leftOut: joinLeftOut(store.read().leftOut, more) })
}

async function lookAndSend(queryClient: QueryClient, media: readonly MediaSource[]) {
  const seen = new Map<string, string>()
  for (let done = 0; done < media.length; done += lookUpSize) {
    change({ looking: { done, total: media.length } })
    const { fresh, known } = await sortKnown(media.slice(done, done + lookUpSize), seen)
    change({ known: [...store.read().known, ...known] })
    send(queryClient, fresh)
  }
  change({ looking: null })
}

function send(queryClient: QueryClient, sources: readonly MediaSource[]) {
  if (sources.length === 0) return
  const onEnd = () => {
    const { uploads } = uploadQueue.now()
    if (uploads.every((upload) => upload.batch !== batch || !isUnfinished(upload)))
      void refreshNewest(queryClient)
  }
  const batch: number = uploadQueue.add(sources, {
    purpose: 'general',
    onStored: onEnd,
    onGivenUp: onEnd,
  })
  change({ batches: [...store.read().batches, batch] })
}

function change(part: Partial<VaultUploads>) {
  store.write({ ...store.read(), ...part })
}
