/** The dark page that replaces a show when its share link ended before the show started. */
import { words as endWords } from '../../sharing/end-words.ts'
import type { LinkEnd } from '../../sharing/link-end.ts'
import { Closed } from '../room.tsx'

export function EndedLink({ end, exit }: { end: LinkEnd; exit: string }) {
  return (
    <Closed title={endWords.headlines[end]} exit={exit}>
      {endWords.hints[end]}
    </Closed>
  )
}
