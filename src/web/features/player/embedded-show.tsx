/** The player of a share link in a frame on another site, which begins when somebody wants it to. */
import { useEffect } from 'react'
import { usePageTitle } from '../../page-title.ts'
import { ButtonLink } from '../../ui/button.tsx'
import './player.css'
import './embedded.css'
import { Player } from './player.tsx'
import { useSharedPlaylist } from './playlist-source.ts'
import { DarkRoom, Waiting } from './room.tsx'

export function EmbeddedShow() {
  const code = location.pathname.split('/').at(-1) ?? ''
  const { data: playlist, error } = useSharedPlaylist(code)
  usePageTitle(playlist?.title ?? 'Player')
  useKeysOfFrame()
  if (error || playlist?.slides.length === 0)
    return (
      <DarkRoom>
        <h1 className="player-card-title">This show cannot be played here.</h1>
        <ButtonLink href={`/shared/${code}`} size="big">
          Open its page
        </ButtonLink>
      </DarkRoom>
    )
  return playlist ? <Player playlist={playlist} startSlide={null} /> : <Waiting />
}

/** The controls keep the focus where it is; keys reach the frame only once it has it. */
function useKeysOfFrame() {
  useEffect(() => {
    const focus = () => window.focus()
    document.addEventListener('pointerdown', focus)
    return () => document.removeEventListener('pointerdown', focus)
  }, [])
}
