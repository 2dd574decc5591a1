/** Above the picture: what is playing, where in it, what it costs, and the way out. */
import { Info, Keyboard, X } from 'lucide-react'
import { IconButton } from './icon-button.tsx'
import type { Playback, PlaybackState } from './playback.ts'
import type { SheetName } from './sheets.tsx'

export function TopBar({
  playback,
  state,
  setSheet,
  leave,
}: {
  playback: Playback
  state: PlaybackState
  setSheet: (sheet: SheetName) => void
  leave: () => void
}) {
  const { title, byline, slides } = playback.playlist
  const { place } = state.show
  const where = place === null ? null : `slide ${place + 1} of ${slides.length}`
  return (
    <header className="player-bar player-top">
      <div className="player-names">
        <h1 className="player-title">{title}</h1>
        <p className="player-meta">
          {byline !== '' && <span>{byline}</span>}
          {byline !== '' && where !== null && <span aria-hidden="true"> · </span>}
          {where !== null && <span>{where}</span>}
        </p>
      </div>
      <IconButton
        icon={Info}
        name="About this picture"
        className="is-wide"
        onPress={() => setSheet('about')}
      />
      <IconButton
        icon={Keyboard}
        name="Keys"
        className="is-wide"
        onPress={() => setSheet('help')}
      />
      <IconButton icon={X} name="Leave" onPress={leave} />
    </header>
  )
}
