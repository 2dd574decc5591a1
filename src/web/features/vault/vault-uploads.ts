/**
 * Files on their way into the vault. They outlive the page: who comes back sees how far they are.
 * What the vault has already waits until its owner says whether it is to come a second time.
 */
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { type Brought, mostFiles } from '../../uploads/brought-files.ts'
import { gatherMedia, type LeftOut, type MediaSource } from '../../uploads/gather-media.ts'
import { isUnfinished, uploadQueue, useUploads } from '../../uploads/page-uploads.ts'
import { words as uploadWords } from '../../uploads/words.ts'
import { type KnownFile, sortKnown } from './content-hash.ts'
import { refreshNewest } from './vault-cache.ts'

type VaultUploads = {
  readonly batches: readonly number[]
  readonly leftOut: readonly LeftOut[]
  readonly known: readonly KnownFile[]
  /** How many of those that were brought have been looked at. */
  readonly looking: { readonly done: number; readonly total: number } | null
}

/** So many are looked up at once, and sent while the next are looked at. */
const lookUpSize = 25

let state: VaultUploads = { batches: [], leftOut: [], known: [], looking: null }
const listeners = new Set<() => void>()

export function useVaultUploads() {
  const { uploads, isPaused, rest } = useUploads()
  const now = useSyncExternalStore(subscribe, () => state)
  return {
    ...now,
    uploads: uploads.filter(({ batch }) => now.batches.includes(batch)),
    isPaused,
    rest,
  }
}

export async function takeIntoVault(queryClient: QueryClient, coming: Promise<Brought>) {
  try {
    const gathered = await gatherMedia(await coming, undefined, mostFiles)
    const others = [...gathered.archives, ...gathered.others]
    change({
      leftOut: [
        ...gathered.leftOut,
        ...others.map(({ name }) => ({ name, why: uploadWords.notMedia })),
      ],
    })
    await lookAndSend(queryClient, gathered.media)
  } catch {
    change({ leftOut: [{ name: '', why: uploadWords.unreadable }], looking: null })
  }
}

/** All the same, a second time. */
export function sendKnown(queryClient: QueryClient) {
  const sources = state.known.map(({ source }) => source)
  change({ known: [] })
  send(queryClient, sources)
}

export function skipKnown() {
  change({ known: [] })
}

export function dismissLeftOut() {
  change({ leftOut: [] })
}

async function lookAndSend(queryClient: QueryClient, media: readonly MediaSource[]) {
  const seen = new Map<string, string>()
  for (let done = 0; done < media.length; done += lookUpSize) {
    change({ looking: { done, total: media.length } })
    const { fresh, known } = await sortKnown(media.slice(done, done + lookUpSize), seen)
    change({ known: [...state.known, ...known] })
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
  change({ batches: [...state.batches, batch] })
}

function change(part: Partial<VaultUploads>) {
  state = { ...state, ...part }
  for (const notify of listeners) notify()
}

function subscribe(notify: () => void) {
  listeners.add(notify)
  return () => void listeners.delete(notify)
}
