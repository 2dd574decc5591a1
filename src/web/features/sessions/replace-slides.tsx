/** Asks before a session is filled again: what makes way, what stays, and that it costs nothing. */
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

/** As the server decides it: what a feed gave and nobody has captioned or timed. */
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
