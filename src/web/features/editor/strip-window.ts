/**
 * Computes which slides of the strip are rendered: the visible ones and a few around them. A position follows
 * from the index alone, so that hundreds of slides cost as much as one screen.
 */
import { type RefObject, useCallback, useEffect, useState } from 'react'
import { useIsWide } from '../../ui/wide-screen.ts'

/** The distance between the starts of two slides. On narrow screens the strip is horizontal. */
const pitchPx = { standing: 83, lying: 100 }
const around = 8
/** The padding before the first slide and after the last. */
const endRoomPx = 24
/** Up to this number all slides are rendered at first. */
const fewSlides = 30

export type StripWindow = {
  readonly isStanding: boolean
  readonly first: number
  /** Exclusive. */
  readonly end: number
  readonly lengthPx: number
  readonly offsetPx: (index: number) => number
  /** Scrolls until the slide is visible. */
  readonly show: (index: number) => void
}

export function useStripWindow(
  container: RefObject<HTMLElement | null>,
  total: number,
): StripWindow {
  const isStanding = useIsWide()
  const pitch = isStanding ? pitchPx.standing : pitchPx.lying
  const [range, setRange] = useState({ first: 0, end: fewSlides })
  useEffect(() => {
    const element = container.current
    if (!element) return
    const look = () => {
      const start = isStanding ? element.scrollTop : element.scrollLeft
      const size = isStanding ? element.clientHeight : element.clientWidth
      const first = Math.max(0, Math.floor(start / pitch) - around)
      const end = Math.ceil((start + size) / pitch) + around
      setRange((old) => (old.first === first && old.end === end ? old : { first, end }))
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      sizes.disconnect()
    }
  }, [container, isStanding, pitch])
  const show = useCallback(
    (index: number) => {
      const element = container.current
      if (!element) return
      const from = isStanding ? element.scrollTop : element.scrollLeft
      const size = isStanding ? element.clientHeight : element.clientWidth
      const start = index * pitch
      const to = start < from ? start : Math.max(from, start + pitch - size + endRoomPx)
      if (to !== from) element.scrollTo(isStanding ? { top: to } : { left: to })
    },
    [container, isStanding, pitch],
  )
  const isShort = total <= fewSlides
  return {
    isStanding,
    first: isShort ? 0 : range.first,
    end: isShort ? total : Math.min(range.end, total),
    lengthPx: total * pitch,
    offsetPx: (index) => index * pitch,
    show,
  }
}
