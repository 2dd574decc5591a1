/** The author and licence of a picture, for shows without an "about" sheet: frames and rooms. */
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
