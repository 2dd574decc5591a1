/**
 * A video in a page, muted at first. If the browser fails to play it, the video is tried once more as HLS,
 * with the code that the player uses.
 */
import { type ComponentProps, type RefObject, useEffect, useRef } from 'react'

type Props = Omit<ComponentProps<'video'>, 'ref' | 'onError' | 'muted'> & {
  src: string
  film?: RefObject<HTMLVideoElement | null>
  onFail: () => void
}

/** Plays one film. Another film needs another `key`. */
export function FilmElement({ src, film, onFail, ...others }: Props) {
  const hasFailed = useRef(false)
  const pieces = useRef<AbortController | null>(null)
  useEffect(() => () => pieces.current?.abort(), [])

  async function tryInPieces(element: HTMLVideoElement): Promise<void> {
    if (hasFailed.current) return onFail()
    hasFailed.current = true
    const ending = new AbortController()
    pieces.current = ending
    // If this script fails to load, the film fails like any other that cannot be loaded.
    const source = await import('./film-source.ts').catch(() => null)
    const isInPieces = !ending.signal.aborted && source?.loadInPieces(element, src, ending.signal)
    if (!isInPieces) onFail()
  }

  return (
    <video
      {...(film && { ref: film })}
      src={src}
      muted
      {...others}
      onError={({ currentTarget }) => void tryInPieces(currentTarget)}
    />
  )
}
