/**
 * Text that is readable on any picture: a hidden copy below it darkens the picture under each line. The
 * surrounding element sets position and size.
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
