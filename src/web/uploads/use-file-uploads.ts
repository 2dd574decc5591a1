/**
 * Uploads files for one part of a page. Returns each file when it has arrived, in the order in which
 * the pictures were taken.
 */
import { useEffectEvent, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { keys } from '../query-keys.ts'
import type { Brought } from './brought-files.ts'
import { fullSession, type Gathered, gatherMedia, type LeftOut } from './gather-media.ts'
import { inOrder } from './in-order.ts'
import { joinLeftOut, unreadable, withoutThese } from './left-out.ts'
import { uploadQueue, useUploads, type VaultFile } from './page-uploads.ts'
import { words } from './words.ts'

export type StoredMedia = { readonly file: VaultFile; readonly takenAtMs: number }

export function useFileUploads({
  room,
  onStored,
  onGathered = () => {},
}: {
  /** The number of files that still fit. */
  room: number
  /** Receives files in one or more calls. Calls with the same `batch` belong together. */
  onStored: (stored: readonly StoredMedia[], batch: number) => void
  onGathered?: (gathered: Gathered) => void
}) {
  const queryClient = useQueryClient()
  const now = useUploads()
  const [batches, setBatches] = useState<readonly number[]>([])
  const [leftOut, setLeftOut] = useState<readonly LeftOut[]>([])
  const store = useEffectEvent(onStored)

  const leaveOut = (more: readonly LeftOut[]) => setLeftOut((all) => joinLeftOut(all, more))

  async function send(coming: Promise<Brought>) {
    const gathered = await gatherMedia(await coming)
    onGathered(gathered)
    const media = gathered.media.slice(0, Math.max(0, room))
    const tooMany = gathered.media.slice(media.length)
    leaveOut([
      ...gathered.leftOut,
      ...tooMany.map(({ name }) => ({ name, why: fullSession })),
      ...[...gathered.archives, ...gathered.others].map(({ name }) => ({
        name,
        why: words.notMedia,
      })),
    ])
    if (media.length === 0) return
    const ordered = inOrder<StoredMedia>(media.length, (stored) => {
      store(stored, batch)
      const isLast = uploadQueue.now().uploads.every((one) => one.batch !== batch || isOver(one))
      if (isLast) void queryClient.invalidateQueries({ queryKey: keys.vault.all })
    })
    const batch = uploadQueue.add(media, {
      purpose: 'general',
      onStored({ media: file }, index) {
        const takenAtMs = media[index]?.takenAtMs ?? 0
        if (file) ordered.come({ file, takenAtMs }, index)
        else ordered.skip(index)
      },
      onGivenUp: (index) => ordered.skip(index),
    })
    setBatches((batches) => [...batches, batch])
  }

  return {
    uploads: now.uploads.filter(({ batch }) => batches.includes(batch)),
    isPaused: now.isPaused,
    rest: now.rest,
    leftOut,
    dismissLeftOut: (gone: readonly LeftOut[]) => setLeftOut((all) => withoutThese(all, gone)),
    take: (coming: Promise<Brought>) => void send(coming).catch(() => leaveOut([unreadable])),
  }
}

function isOver({ state }: { readonly state: string }): boolean {
  return state === 'stored' || state === 'failed'
}
