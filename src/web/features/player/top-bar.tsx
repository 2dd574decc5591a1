/** Above the picture: what is playing, where in it, what it costs, and the way out. */
import { Info, Keyboard, X } from 'lucide-react'
import { IconButton } from './icon-button.tsx'
import type { Lantern, LanternState } from './lantern.ts'
import type { SheetName } from './sheets.tsx'

export function TopBar({
  lantern,
  state,
  setSheet,
  leave,
}: {
  lantern: Lantern
  state: LanternState
  setSheet: (sheet: SheetName) => void
  leave: () => void
}) {
  const { title, byline, slides } = lantern.programme
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
