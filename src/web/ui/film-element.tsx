/** A film on a page, silent at first. What the browser cannot play is tried once more as one in pieces, by what the player has for these. */
import { type ComponentProps, type RefObject, useEffect, useRef } from 'react'

type Props = Omit<ComponentProps<'video'>, 'ref' | 'onError' | 'muted'> & {
  src: string
  film?: RefObject<HTMLVideoElement | null>
  onFail: () => void
}

/** Of one film: another has another `key`. */
export function FilmElement({ src, film, onFail, ...others }: Props) {
  const hasFailed = useRef(false)
  const pieces = useRef<AbortController | null>(null)
  useEffect(() => () => pieces.current?.abort(), [])

  async function tryInPieces(element: HTMLVideoElement): Promise<void> {
    if (hasFailed.current) return onFail()
    hasFailed.current = true
    const ending = new AbortController()
    pieces.current = ending
    // Without what plays pieces, it is as any other that does not come.
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
