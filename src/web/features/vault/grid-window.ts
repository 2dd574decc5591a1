/** Tracks the visible range of the grid in steps, so that the page renders rarely. */
import { type RefObject, useLayoutEffect, useState } from 'react'

const stepPx = 240
const aroundPx = 480

export type GridWindow = {
  readonly widthPx: number
  readonly startPx: number
  readonly endPx: number
}

export function useGridWindow(container: RefObject<HTMLElement | null>): GridWindow {
  const [seen, setSeen] = useState<GridWindow>({ widthPx: 0, startPx: 0, endPx: 0 })
  useLayoutEffect(() => {
    const element = container.current
    if (!element) return
    const look = () => {
      const { top } = element.getBoundingClientRect()
      const widthPx = element.clientWidth
      const startPx = Math.floor((-top - aroundPx) / stepPx) * stepPx
      const endPx = Math.ceil((window.innerHeight - top + aroundPx) / stepPx) * stepPx
      setSeen((old) =>
        old.widthPx === widthPx && old.startPx === startPx && old.endPx === endPx
          ? old
          : { widthPx, startPx, endPx },
      )
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    return () => {
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
      sizes.disconnect()
    }
  }, [container])
  return seen
}
