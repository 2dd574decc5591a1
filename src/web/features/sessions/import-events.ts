/** What the copying of an import changes in a session that is looked at, slide by slide. */
import type { QueryClient } from '@tanstack/react-query'
import { keys } from '../../query-keys.ts'
import type { EventHandlers } from '../../session-events.ts'
import type { OpenedSession, Slide } from './session-data.ts'

export type SkippedMedia = OpenedSession['skipped'][number]

/** Slides get files of their own, or leave the session with the reason why; `onWhole` at the last. */
export function importHandlers({
  sessionId,
  queryClient,
  onWhole,
}: {
  readonly sessionId: number
  readonly queryClient: QueryClient
  readonly onWhole: () => void
}): EventHandlers {
  const change = (alter: (opened: OpenedSession) => OpenedSession) => {
    const opened = queryClient.setQueryData(
      keys.session.opened(sessionId),
      (opened) => opened && alter(opened),
    )
    if (opened?.media.every(hasOwnFile)) onWhole()
  }
  return {
    media: (copied: Slide) =>
      change((opened) => ({
        ...opened,
        media: opened.media.map((slide) => (slide.id === copied.id ? copied : slide)),
      })),
    skipped: ({ mediaId, ...skipped }: SkippedMedia & { readonly mediaId: number }) =>
      change((opened) => {
        const media = opened.media.filter(({ id }) => id !== mediaId)
        // A page that asked just before has it already.
        if (media.length === opened.media.length) return opened
        return { ...opened, media, skipped: [...opened.skipped, skipped] }
      }),
  }
}

export function hasOwnFile({ mediaUrl }: Slide): boolean {
  return mediaUrl === null || mediaUrl.startsWith('/media/')
}
