/** The bar above the picture: title, position, blackout and the button to leave. */
import { Cast, EyeOff, Info, Keyboard, X } from 'lucide-react'
import { isEmbedded } from '../../embedding.ts'
import { PlayerIcon } from './icon-button.tsx'
import type { PlaybackState } from './playback-state.ts'
import type { Playback } from './playback.ts'
import type { SheetName } from './use-sheet.ts'
import { words } from './words.ts'

export function TopBar({
  playback,
  state,
  isOver,
  setSheet,
  blackOut,
  leave,
}: {
  playback: Playback
  state: PlaybackState
  /** True while the end card covers the controls. */
  isOver: boolean
  setSheet: (sheet: SheetName) => void
  blackOut: () => void
  leave: () => void
}) {
  const { title, byline, slides } = playback.playlist
  const { position } = state.show
  const where =
    position === null ? null : words.position({ slide: position + 1, total: slides.length })
  return (
    <header className="player-bar player-top" inert={isOver}>
      <div className="me-auto min-w-0">
        <h1 className="show-voice truncate text-[1.125rem] leading-tight font-[500]">
          <bdi>{title}</bdi>
        </h1>
        {/* A long byline is truncated, so that the position stays readable. */}
        <p className="flex text-xs leading-snug whitespace-pre text-picture-ink-quiet">
          {byline !== '' && <span className="truncate">{byline}</span>}
          {byline !== '' && where !== null && <span aria-hidden="true"> · </span>}
          {where !== null && <span className="flex-none">{where}</span>}
        </p>
      </div>
      {playback.playlist.session !== null && !playback.playlist.isVisitor && !isEmbedded() && (
        <PlayerIcon icon={Cast} name={words.screens} onPress={() => setSheet('screens')} />
      )}
      <PlayerIcon
        icon={Info}
        name={words.about}
        className="max-sm:hidden"
        onPress={() => setSheet('about')}
      />
      <PlayerIcon
        icon={Keyboard}
        name={words.keys}
        className="max-sm:hidden"
        onPress={() => setSheet('help')}
      />
      <PlayerIcon icon={EyeOff} name={words.blackOut} onPress={blackOut} />
      {isEmbedded() ? (
        <button type="button" className="button button-bare text-sm" onClick={leave}>
          {words.openItsPage}
        </button>
      ) : (
        <PlayerIcon icon={X} name={words.leave} onPress={leave} />
      )}
    </header>
  )
}
