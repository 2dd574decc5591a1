/** Icons of the transitions: the old picture faded, the new one opaque. */
import type { ReactNode } from 'react'
import type { Session } from './session-data.ts'

export function TransitionDrawing({ transition }: { transition: Session['transition'] }) {
  return (
    <svg viewBox="0 0 34 22" aria-hidden="true" className="h-5 w-8 fill-current">
      {drawings[transition]}
    </svg>
  )
}

const drawings: Record<Session['transition'], ReactNode> = {
  fade: (
    <>
      <rect x="4" y="2" width="18" height="13" opacity="0.4" />
      <rect x="11" y="7" width="18" height="13" />
    </>
  ),
  slide: (
    <>
      <rect x="2" y="4" width="9" height="14" opacity="0.4" />
      <rect x="13" y="4" width="19" height="14" />
    </>
  ),
  zoom: (
    <>
      <rect x="5" y="1" width="24" height="20" opacity="0.4" />
      <rect x="11" y="6" width="12" height="10" />
    </>
  ),
  flip: (
    <>
      <rect x="4" y="4" width="12" height="14" opacity="0.4" />
      <path d="M19 4.5 28 1v20l-9-3.5z" />
    </>
  ),
  none: (
    <>
      <rect x="4" y="4" width="12" height="14" opacity="0.4" />
      <rect x="18" y="4" width="12" height="14" />
    </>
  ),
}
