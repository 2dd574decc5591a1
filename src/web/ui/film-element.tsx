/** A film on a page, a file or one in pieces. */
import { type ComponentProps, type RefObject, useEffect, useRef } from 'react'
import { loadFilm } from './film-source.ts'

type Props = Omit<ComponentProps<'video'>, 'src' | 'ref'> & {
  src: string
  film?: RefObject<HTMLVideoElement | null>
}

export function FilmElement({ src, film, ...others }: Props) {
  const own = useRef<HTMLVideoElement>(null)
  const element = film ?? own
  useEffect(() => (element.current ? loadFilm(element.current, src) : undefined), [element, src])
  return <video ref={element} {...others} />
}
