/** The zoom of the picture: its scale and the visible part. It stays until it is reset. */

export type Point = { readonly x: number; readonly y: number }
type View = Point & { readonly scale: number }

const whole: View = { x: 0, y: 0, scale: 1 }
const largest = 5
/** Below this scale, the zoom returns to the whole picture. */
const minScale = 1.05
const returnMs = 240

export function createZoom(surface: HTMLElement, changed: (isClose: boolean) => void) {
  let view = whole

  function set(next: View): void {
    const wasClose = view.scale > 1
    const scale = Math.max(1, Math.min(largest, next.scale))
    // Keep the edges of the frame at or outside the edges of the screen.
    const x = Math.min(0, Math.max(surface.clientWidth * (1 - scale), next.x))
    const y = Math.min(0, Math.max(surface.clientHeight * (1 - scale), next.y))
    view = { x, y, scale }
    surface.style.transformOrigin = '0 0'
    surface.style.transform = scale === 1 ? '' : `translate(${x}px, ${y}px) scale(${scale})`
    if (scale > 1 !== wasClose) changed(scale > 1)
  }

  /** Sets the scale, and moves the point that was at `from` in the view `start` to `to`. */
  function moveFrom(start: View, from: Point, to: Point, wished: number): void {
    const scale = Math.max(1, Math.min(largest, wished))
    const grown = scale / start.scale
    set({ scale, x: to.x - (from.x - start.x) * grown, y: to.y - (from.y - start.y) * grown })
  }

  function reset(): void {
    const { transform } = surface.style
    set(whole)
    if (transform === '') return
    surface.animate([{ transform }, { transform: 'none' }], {
      duration: returnMs,
      easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)',
    })
  }

  return {
    read: () => view,
    isClose: () => view.scale > 1,
    moveFrom,
    by: (point: Point, factor: number) => moveFrom(view, point, point, view.scale * factor),
    /** Ends a gesture: shows the whole picture if the scale is almost 1. */
    settle: () => {
      if (view.scale < minScale) reset()
    },
    reset,
  }
}
