/** Whose a picture is, where a show has no sheet to say it: on a frame, on the screens of a room. */
import type { CSSProperties } from 'react'
import './credit-line.css'
import type { PlaylistSlide } from './playlist.ts'

export function CreditLine({
  credit,
  style,
}: {
  credit: PlaylistSlide['credit'] | undefined
  style?: CSSProperties
}) {
  const parts = [credit?.author, credit?.licence?.name].filter(Boolean)
  if (parts.length === 0) return null
  return (
    <p className="credit-line" style={style}>
      {parts.join(' · ')}
    </p>
  )
}
