/**
 * Words that are read on any picture: the same words lie unseen beneath them, with a darkness under
 * each line. Where they stand and how large they are is said by what is around them.
 */
import type { HTMLAttributes } from 'react'

export function OverlayText({
  text,
  className,
  ...rest
}: HTMLAttributes<HTMLDivElement> & { text: string; className: string }) {
  return (
    <div {...rest} className={`burnt-lines ${className}`}>
      <span aria-hidden="true" className="burnt-ground">
        <span>{text}</span>
      </span>
      <span className="burnt-words">{text}</span>
    </div>
  )
}
