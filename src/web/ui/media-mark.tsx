/** Marks a still picture that stands for a film or an animation, in its corner. */
import { Film } from 'lucide-react'
import { words } from './words.ts'

export function MediaMark({ type }: { type: 'image' | 'gif' | 'video' }) {
  if (type === 'image') return null
  return (
    <span className="pointer-events-none absolute end-1 bottom-1 flex h-5 items-center gap-1 rounded-[4px] bg-picture-burn/80 px-1.5 text-2xs font-semibold text-picture-ink">
      {type === 'video' ? (
        <>
          <Film size={12} aria-hidden="true" />
          <span className="sr-only">{words.film}</span>
        </>
      ) : (
        <>
          <span aria-hidden="true">GIF</span>
          <span className="sr-only">{words.animation}</span>
        </>
      )}
    </span>
  )
}
