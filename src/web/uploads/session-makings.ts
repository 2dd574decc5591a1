/** The sessions that are being made from files, for the page that shows their progress. */
import type { QueryClient } from '@tanstack/react-query'
import { client, explain } from '../api.ts'
import { createAccountStore } from '../features/accounts/account-store.ts'
import { keys } from '../query-keys.ts'
import type { Gathered, LeftOut } from './gather-media.ts'
import { withoutThese } from './left-out.ts'
import { growSession, type Grown, type Growth } from './growing-session.ts'
import { showTray } from './page-intake.ts'
import { uploadQueue, useUploads } from './page-uploads.ts'

export type Making = {
  readonly id: number
  readonly title: string
  readonly total: number
  readonly leftOut: readonly LeftOut[]
  readonly growth: Growth
  /** Tries again to add the stored files to the session. */
  readonly retry: () => void
}

const makings = createAccountStore<readonly Making[]>([])

/** Starts to make a session. The promise returns its id as soon as it exists. */
export function makeSession(
  queryClient: QueryClient,
  { media, leftOut }: Pick<Gathered, 'media' | 'leftOut'>,
  title: string,
): Promise<number> {
  const made = Promise.withResolvers<number>()
  let id = 0
  const keep = (opened: Opened): Grown => {
    queryClient.setQueryData(keys.session.opened(opened.session.id), opened)
    return grownOf(opened)
  }
  const growing = growSession(media.length, {
    make: async (mediaIds) => {
      const slides = mediaIds.map((mediaId) => ({ mediaId }))
      return keep(await client.sessions.createManual({ body: { title, slides } }))
    },
    replace: async ({ id, updatedAt }, slides) =>
      keep(
        await client.sessions.replaceMedia({
          params: { id: String(id) },
          body: { slides: [...slides] },
          headers: { 'if-match': `"${updatedAt}"` },
        }),
      ),
    read: async (id) => keep(await client.sessions.read({ params: { id: String(id) } })),
    setTimer(run, ms) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    explain,
    onChange(growth) {
      const before = makings.read().find((making) => making.id === id)?.growth
      change(id, { growth })
      const isNew = growth.session !== null && before?.session === null
      if (growth.session !== null) made.resolve(growth.session.id)
      if (isNew || (growth.isWhole && before?.isWhole === false))
        for (const queryKey of [keys.sessions.all, keys.vault.all])
          void queryClient.invalidateQueries({ queryKey })
    },
  })
  id = uploadQueue.add(media, {
    purpose: 'general',
    onStored: ({ media }, index) =>
      media ? growing.stored(media.id, index) : growing.givenUp(index),
    onGivenUp: (index) => growing.givenUp(index),
  })
  const growth = { session: null, failure: null, isWhole: false }
  const making = {
    id,
    title,
    total: media.length,
    leftOut,
    growth,
    retry: () => growing.retry(),
  }
  makings.write([...makings.read(), making])
  showTray()
  return made.promise
}

/** Stops the remaining uploads. The session keeps the files that have arrived. */
export function cancelMaking(id: number) {
  uploadQueue.remove((upload) => upload.batch === id && upload.state !== 'stored')
}

export function dismissLeftOut(id: number, gone: readonly LeftOut[]) {
  const making = makings.read().find((one) => one.id === id)
  if (making) change(id, { leftOut: withoutThese(making.leftOut, gone) })
}

/** Removes it from the page. */
export function dismissMaking(id: number) {
  uploadQueue.remove((upload) => upload.batch === id)
  makings.write(makings.read().filter((making) => making.id !== id))
}

export function useMakings(): readonly Making[] {
  return makings.use()
}

/** Returns the progress of one session's uploads. */
export function useMakingUploads(id: number) {
  const { uploads, isPaused, rest } = useUploads()
  return { uploads: uploads.filter(({ batch }) => batch === id), isPaused, rest }
}

type Opened = Awaited<ReturnType<typeof client.sessions.read>>

function grownOf({ session, media }: Opened): Grown {
  return { id: session.id, updatedAt: session.updatedAt, slideIds: media.map(({ id }) => id) }
}

function change(id: number, part: Partial<Making>) {
  makings.write(
    makings.read().map((making) => (making.id === id ? { ...making, ...part } : making)),
  )
}
