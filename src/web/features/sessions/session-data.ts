/** Sessions in the query cache: loaded once, updated in every list that shows them. */
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys, type SessionPages } from '../../query-keys.ts'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { sessionQuery } from './session-query.ts'
import { words } from './words.ts'

export type Session = Awaited<ReturnType<typeof client.sessions.list>>[number]
export type OpenedSession = Awaited<ReturnType<typeof client.sessions.read>>
export type Slide = OpenedSession['media'][number]
export type SessionChange = NonNullable<Parameters<typeof client.sessions.update>[0]['body']>

/** The width of the largest derived size. */
const widestPx = 1920

/** The maximum number of slides of a fill. */
export const fillSize = 25

export function useSession(id: string, options: { enabled: boolean } = { enabled: true }) {
  return useQuery({ ...sessionQuery(id), ...options })
}

export function useEditSession(id: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: SessionChange) =>
      client.sessions.update({ params: { id: String(id) }, body: change }),
    onSuccess: (session, { shareToCommunity }) => {
      keepSession(queryClient, session)
      if (shareToCommunity !== undefined)
        void queryClient.invalidateQueries({ queryKey: keys.community.all })
    },
  })
}

/** Toggles the favourite at once and reverts if the server refuses. */
export function useFavourite(session: Session) {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (isFavorite: boolean) =>
      client.sessions.update({ params: { id: String(session.id) }, body: { isFavorite } }),
    onMutate: (isFavorite) => {
      // A list that is being loaded may still have the old value.
      void queryClient.cancelQueries({ queryKey: keys.sessions.all })
      keepSession(queryClient, { ...session, isFavorite })
    },
    onSuccess: (changed) => keepSession(queryClient, changed),
    onError: (error) => {
      keepSession(queryClient, session)
      showFailure(error)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.sessions.all }),
  })
  return () => mutate(!session.isFavorite)
}

export function useDeleteSession() {
  const queryClient = useQueryClient()
  return async (session: Session) => {
    await client.sessions.remove({ params: { id: String(session.id) } })
    queryClient.removeQueries({ queryKey: keys.session.opened(session.id) })
    await queryClient.invalidateQueries({ queryKey: keys.sessions.all })
    showToast({ text: words.deleted({ title: session.title }) })
  }
}

/** Updates a session in every cached list and page. */
export function keepSession(queryClient: QueryClient, session: Session) {
  queryClient.setQueryData(keys.session.opened(session.id), (opened) =>
    opened ? { ...opened, session } : opened,
  )
  queryClient.setQueriesData<SessionPages>({ queryKey: keys.sessions.lists }, (lists) =>
    lists
      ? {
          ...lists,
          pages: lists.pages.map((page) =>
            page.map((listed) => (listed.id === session.id ? session : listed)),
          ),
        }
      : lists,
  )
}

export function isFilling({ fillStatus }: Session): boolean {
  return fillStatus === 'pending' || fillStatus === 'filling'
}

/** Returns the original of the cover if the cover is one of the slides. */
export function largeCover(
  thumbnail: string | null,
  slides: readonly Pick<Slide, 'thumbnail' | 'mediaUrl' | 'type'>[],
): string | null {
  const original = slides.find((slide) => slide.type === 'image' && slide.thumbnail === thumbnail)
  return original?.mediaUrl ?? thumbnail
}

/**
 * Returns the sizes of a cover for a page that shows it large, or null if there is only one. The server
 * writes the same into the page of a link (src/server/features/pages/first-frame.ts).
 */
export function coverSizes(
  thumbnail: string | null,
  slides: readonly Pick<Slide, 'thumbnail' | 'mediaUrl' | 'type' | 'sizes' | 'width'>[],
) {
  const slide = slides.find((one) => one.type === 'image' && one.thumbnail === thumbnail)
  const files = Object.entries(slide?.sizes ?? {}).filter(
    ([width]) => Number(width) !== slide?.width,
  )
  if (slide?.width && slide.width <= widestPx && slide.mediaUrl !== null)
    files.push([String(slide.width), slide.mediaUrl])
  if (files.length === 0) return null
  const srcSet = files.map(([width, address]) => `${address} ${width}w`).join(', ')
  return { srcSet, sizes: '(min-width: 40rem) min(54vw, 32rem), 92vw' }
}

/** Returns a summary such as '25 slides · dissolve · 4 to 9 s'. */
export function describeSession(
  session: Pick<Session, 'mediaCount' | 'transition' | 'intervalMin' | 'intervalMax'> & {
    isManualMode?: boolean
  },
): string {
  const { mediaCount, transition, intervalMin, intervalMax, isManualMode } = session
  const pace =
    intervalMin === intervalMax
      ? words.pace({ seconds: intervalMin })
      : words.paceBetween({ shortest: intervalMin, longest: intervalMax })
  const parts = [
    countSlides(mediaCount),
    words.transitionsInList[transition],
    isManualMode ? words.turnedByHand : pace,
  ]
  // A line that is too short breaks between the parts, not within one.
  return parts.map((part) => part.replaceAll(' ', '\u00A0')).join('\u00A0· ')
}

export function countSlides(count: number): string {
  return words.slides({ count })
}

export const transitionNames: Record<Session['transition'], string> = words.transitions
