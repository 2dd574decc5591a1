/**
 * Asks before a session is filled again: the number of slides that are replaced and kept, and that it is
 * free.
 */
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useRefill } from './fill-again.tsx'
import { type Session, type Slide, useSession } from './session-data.ts'
import { words } from './words.ts'

export function ReplaceSlides({ session, onClose }: { session: Session; onClose: () => void }) {
  const refill = useRefill(session)
  const { data: opened } = useSession(String(session.id))
  const media = opened?.media ?? []
  return (
    <ConfirmDialog
      question={words.fillTitleAgain({ title: session.title })}
      consequence={describe(media.filter(isReplaced).length, media.length)}
      keep={words.keepSlides}
      action={words.fillAgain}
      run={() => refill.mutateAsync()}
      onClose={onClose}
    />
  )
}

/** Follows the server's rule: slides from a feed that have neither a caption nor a duration. */
function isReplaced({ feedPostId, caption, durationMs }: Slide): boolean {
  return feedPostId !== null && caption === null && durationMs === null
}

function describe(replaced: number, all: number): string {
  if (replaced === 0) return words.allSlidesStay
  const kept = all - replaced
  return [
    words.slidesLost({ count: replaced }),
    kept > 0 && words.slidesStay({ count: kept }),
    words.costsNothing,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}
