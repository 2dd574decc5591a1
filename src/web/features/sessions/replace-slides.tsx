/** Asks before a session is filled again: what makes way, what stays, and that it costs nothing. */
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useRefill } from './fill-again.tsx'
import { countSlides, type Session, type Slide, useSession } from './session-data.ts'

export function ReplaceSlides({ session, onClose }: { session: Session; onClose: () => void }) {
  const refill = useRefill(session)
  const { data: opened } = useSession(String(session.id))
  const media = opened?.media ?? []
  return (
    <ConfirmDialog
      question={`Fill “${session.title}” again?`}
      consequence={describe(media.filter(isReplaced).length, media.length)}
      keep="Keep the slides"
      action="Fill again"
      run={() => refill.mutateAsync()}
      onClose={onClose}
    />
  )
}

/** As the server decides it: what a feed gave and nobody has captioned or timed. */
function isReplaced({ feedPostId, caption, durationMs }: Slide): boolean {
  return feedPostId !== null && caption === null && durationMs === null
}

function describe(replaced: number, all: number): string {
  if (replaced === 0) return 'All slides stay, and new ones join them. It costs nothing.'
  const kept = all - replaced
  return [
    `${countSlides(replaced)} and their order are lost, and new ones come from the feed.`,
    kept > 0 && `${countSlides(kept)} with a caption, a time or a source of your own stay.`,
    'It costs nothing.',
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}
