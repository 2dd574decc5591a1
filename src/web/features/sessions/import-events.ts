/** Applies the events of an import to an opened session, slide by slide. */
import type { QueryClient } from '@tanstack/react-query'
import { keys } from '../../query-keys.ts'
import type { EventHandlers } from '../../session-events.ts'
import type { OpenedSession, Slide } from './session-data.ts'

export type SkippedMedia = OpenedSession['skipped'][number]

/**
 * Replaces copied slides, and moves skipped ones to the list with their reasons. Calls `onWhole` after the
 * last.
 */
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
        // A recently loaded page already has the change.
        if (media.length === opened.media.length) return opened
        return { ...opened, media, skipped: [...opened.skipped, skipped] }
      }),
  }
}

export function hasOwnFile({ mediaUrl }: Slide): boolean {
  return mediaUrl === null || mediaUrl.startsWith('/media/')
}
