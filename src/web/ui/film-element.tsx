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
  const endPieces = useRef<(() => void) | null>(null)
  useEffect(() => () => endPieces.current?.(), [])

  async function tryInPieces(element: HTMLVideoElement): Promise<void> {
    if (hasFailed.current) return onFail()
    hasFailed.current = true
    try {
      const { loadInPieces } = await import('./film-source.ts')
      // The page may have gone on meanwhile.
      if (element.isConnected) endPieces.current = loadInPieces(element, src)
    } catch {
      // Without it, it is as any other that does not come.
    }
    if (!endPieces.current) onFail()
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
