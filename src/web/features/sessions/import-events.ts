/** What the copying of an import changes in a session that is looked at, slide by slide. */
import type { QueryClient } from '@tanstack/react-query'
import type { OpenedSession, Slide } from './session-data.ts'

export type SkippedMedia = OpenedSession['skipped'][number]

/** Slides get files of their own, or leave the session with the reason why; `onWhole` at the last. */
export function hearImport(
  source: EventSource,
  {
    sessionId,
    queryClient,
    onWhole,
  }: {
    readonly sessionId: number
    readonly queryClient: QueryClient
    readonly onWhole: () => void
  },
) {
  const change = (alter: (opened: OpenedSession) => OpenedSession) => {
    const opened = queryClient.setQueryData<OpenedSession>(
      ['session', String(sessionId)],
      (opened) => opened && alter(opened),
    )
    if (opened?.media.every(hasOwnFile)) onWhole()
  }
  source.addEventListener('media', ({ data }) => {
    const copied: Slide = JSON.parse(String(data))
    change((opened) => ({
      ...opened,
      media: opened.media.map((slide) => (slide.id === copied.id ? copied : slide)),
    }))
  })
  source.addEventListener('skipped', ({ data }) => {
    const { mediaId, ...skipped }: SkippedMedia & { mediaId: number } = JSON.parse(String(data))
    change((opened) => {
      const media = opened.media.filter(({ id }) => id !== mediaId)
      // Whoever asked just before it was told has it already.
      if (media.length === opened.media.length) return opened
      return { ...opened, media, skipped: [...opened.skipped, skipped] }
    })
  })
}

export function hasOwnFile({ mediaUrl }: Slide): boolean {
  return mediaUrl.startsWith('/media/')
}
