/**
 * What fingers and the mouse mean on the picture: a tap by its third of the screen, a swipe, a hold,
 * two fingers to look closer, three to black out. It moves nothing but the picture under two fingers.
 */

export type GestureHandlers = {
  readonly previous: () => void
  readonly next: () => void
  readonly toggleControls: () => void
  readonly playOrPause: () => void
  readonly fullScreen: () => void
  readonly hold: (isHeld: boolean) => void
  /** Two fingers have begun to enlarge the picture. */
  readonly lookCloser: () => void
  readonly blackOut: () => void
}

const swipePx = 48
const stillPx = 12
const holdAfterMs = 400
const returnMs = 240

type Point = { readonly x: number; readonly y: number }

export function attachGestures(surface: HTMLElement, on: GestureHandlers): () => void {
  const fingers = new Map<number, { start: Point; now: Point }>()
  const leaving = new AbortController()
  let holdTimer: ReturnType<typeof setTimeout> | undefined
  let isHolding = false
  /** More fingers than one have taken part, so what ends is no tap and no swipe. */
  let isMany = false
  let isClose = false

  function press(event: PointerEvent): void {
    if (event.pointerType === 'mouse') return
    const point = { x: event.clientX, y: event.clientY }
    fingers.set(event.pointerId, { start: point, now: point })
    surface.setPointerCapture(event.pointerId)
    clearTimeout(holdTimer)
    if (fingers.size === 1) {
      isMany = false
      holdTimer = setTimeout(() => setHeld(true), holdAfterMs)
      return
    }
    isMany = true
    if (fingers.size === 2) setHeld(true)
    if (fingers.size === 3) on.blackOut()
  }

  function move(event: PointerEvent): void {
    const finger = fingers.get(event.pointerId)
    if (!finger) return
    finger.now = { x: event.clientX, y: event.clientY }
    if (!isMany && distance(finger.start, finger.now) > stillPx) clearTimeout(holdTimer)
    if (fingers.size === 2) lookCloser()
  }

  function lift(event: PointerEvent): void {
    const finger = fingers.get(event.pointerId)
    if (!finger) return
    fingers.delete(event.pointerId)
    clearTimeout(holdTimer)
    if (fingers.size > 0) return
    const wasHolding = isHolding
    setHeld(false)
    if (isMany) return stepBack()
    if (!wasHolding && event.type === 'pointerup') judge(finger.start, finger.now)
  }

  function judge(start: Point, end: Point): void {
    const x = end.x - start.x
    if (Math.abs(x) > swipePx && Math.abs(x) > 1.5 * Math.abs(end.y - start.y)) {
      return x < 0 ? on.next() : on.previous()
    }
    if (distance(start, end) > stillPx) return
    const third = (end.x - surface.getBoundingClientRect().left) / surface.clientWidth
    if (third < 1 / 3) on.previous()
    else if (third > 2 / 3) on.next()
    else on.toggleControls()
  }

  function setHeld(isHeld: boolean): void {
    if (isHeld === isHolding) return
    isHolding = isHeld
    on.hold(isHeld)
  }

  function lookCloser(): void {
    const [one, other] = [...fingers.values()]
    if (!one || !other) return
    const scale = distance(one.now, other.now) / Math.max(1, distance(one.start, other.start))
    if (scale > 1 && !isClose) {
      isClose = true
      on.lookCloser()
    }
    const from = middle(one.start, other.start)
    const to = middle(one.now, other.now)
    surface.style.transformOrigin = `${from.x}px ${from.y}px`
    surface.style.transform = `translate(${to.x - from.x}px, ${to.y - from.y}px) scale(${Math.max(1, Math.min(5, scale))})`
  }

  function stepBack(): void {
    isClose = false
    const { transform } = surface.style
    surface.style.transform = ''
    if (transform !== '') {
      surface.animate([{ transform }, { transform: 'none' }], {
        duration: returnMs,
        easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)',
      })
    }
  }

  function click(event: MouseEvent): void {
    if (event instanceof PointerEvent && event.pointerType === 'mouse') on.playOrPause()
  }

  const options = { signal: leaving.signal }
  surface.addEventListener('pointerdown', press, options)
  surface.addEventListener('pointermove', move, options)
  surface.addEventListener('pointerup', lift, options)
  surface.addEventListener('pointercancel', lift, options)
  surface.addEventListener('touchend', keepClickAway, { ...options, passive: false })
  surface.addEventListener('click', click, options)
  surface.addEventListener('dblclick', () => on.fullScreen(), options)
  surface.addEventListener('contextmenu', keepMenuAway, options)
  return () => {
    clearTimeout(holdTimer)
    leaving.abort()
  }
}

/** A finger that holds would open it. */
function keepMenuAway(event: MouseEvent): void {
  if (event instanceof PointerEvent && event.pointerType !== 'mouse') event.preventDefault()
}

/** What the tap has brought up may lie under the finger; the click that follows would press it. */
function keepClickAway(event: TouchEvent): void {
  if (event.cancelable) event.preventDefault()
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

function middle(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }
}
