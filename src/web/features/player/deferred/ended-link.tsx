/** The dark page that replaces a show when its share link ended before the show started. */
import { words as endWords } from '../../sharing/end-words.ts'
import type { LinkEnd } from '../../sharing/link-end.ts'
import { DarkRoom, RoomExit } from '../room.tsx'
import { words } from '../words.ts'

export function EndedLink({ end, exit }: { end: LinkEnd; exit: string }) {
  return (
    <DarkRoom>
      <h1 className="player-card-title">{endWords.headlines[end]}</h1>
      <p>{endWords.hints[end]}</p>
      <RoomExit exit={exit}>{words.goBack}</RoomExit>
    </DarkRoom>
  )
}
