/**
 * Touch and mouse gestures on the picture. A tap acts by the third of the screen that it hits, a swipe
 * sideways turns the slide, a swipe down leaves, a hold pauses. A pinch, a double tap or the wheel zooms.
 * Three fingers black out the screen.
 */
import { createZoom, type Point } from './zoom.ts'

export type GestureHandlers = {
  readonly previous: () => void
  readonly next: () => void
  readonly toggleControls: () => void
  readonly playOrPause: () => void
  readonly fullScreen: () => void
  readonly hold: (isHeld: boolean) => void
  /** Called when the picture is zoomed in, and when it is whole again. */
  readonly lookCloser: (isClose: boolean) => void
  readonly blackOut: () => void
  readonly leave: () => void
}

const swipePx = 48
/** Longer than a swipe sideways, so that a finger that slips does not leave the player. */
const leavePx = 96
const stillPx = 12
const holdAfterMs = 400
const doubleTapMs = 300
const doubleTapPx = 40
const doubleTapScale = 2.5
/** Some mice report the wheel in lines. */
const linePx = 16

export type Gestures = {
  /** Ends the zoom, for the next slide. */
  readonly reset: () => void
  readonly close: () => void
}

export function attachGestures(surface: HTMLElement, on: GestureHandlers): Gestures {
  const fingers = new Map<number, { start: Point; now: Point }>()
  const leaving = new AbortController()
  const zoom = createZoom(surface, on.lookCloser)
  let holdTimer: ReturnType<typeof setTimeout> | undefined
  let isHolding = false
  /** True if the gesture had more than one finger: it is then neither a tap nor a swipe. */
  let isMany = false
  /** The view when the current touch began. */
  let startView = zoom.read()
  let lastTap = { atMs: -Infinity, x: 0, y: 0 }
  /** True after a drag: ignore the click event that ends it. */
  let hasDragged = false

  function press(event: PointerEvent): void {
    hasDragged = false
    const isMouse = event.pointerType === 'mouse'
    // A mouse drags the picture only while it is zoomed in.
    if (isMouse && (!zoom.isClose() || event.button !== 0)) return
    const point = pointOf(event)
    fingers.set(event.pointerId, { start: point, now: point })
    for (const finger of fingers.values()) finger.start = finger.now
    startView = zoom.read()
    surface.setPointerCapture(event.pointerId)
    clearTimeout(holdTimer)
    if (isMouse) return
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
    finger.now = pointOf(event)
    const isFar = distance(finger.start, finger.now) > stillPx
    if (!isMany && isFar) clearTimeout(holdTimer)
    if (fingers.size === 2) pinch()
    if (fingers.size !== 1 || !zoom.isClose() || !(isFar || hasDragged)) return
    hasDragged = true
    zoom.moveFrom(startView, finger.start, finger.now, startView.scale)
  }

  function lift(event: PointerEvent): void {
    const finger = fingers.get(event.pointerId)
    if (!finger) return
    fingers.delete(event.pointerId)
    clearTimeout(holdTimer)
    // The remaining finger moves the picture from its current position.
    for (const other of fingers.values()) other.start = other.now
    startView = zoom.read()
    if (fingers.size > 0) return
    const wasHolding = isHolding
    setHeld(false)
    zoom.settle()
    const isTouch = event.type === 'pointerup' && event.pointerType !== 'mouse'
    if (isTouch && !isMany && !wasHolding && !hasDragged) judge(finger.start, finger.now)
  }

  function judge(start: Point, end: Point): void {
    const x = end.x - start.x
    const y = end.y - start.y
    if (Math.abs(x) > swipePx && Math.abs(x) > 1.5 * Math.abs(y)) {
      return x < 0 ? on.next() : on.previous()
    }
    if (y > leavePx && y > 1.5 * Math.abs(x)) return on.leave()
    if (distance(start, end) > stillPx) return
    const third = (end.x - surface.getBoundingClientRect().left) / surface.clientWidth
    if (!zoom.isClose() && third < 1 / 3) return on.previous()
    if (!zoom.isClose() && third > 2 / 3) return on.next()
    tapMiddle(end)
  }

  /** Toggles the controls at each tap, so the second tap of a double tap undoes the first. */
  function tapMiddle(point: Point): void {
    on.toggleControls()
    const isSecond =
      performance.now() - lastTap.atMs < doubleTapMs && distance(point, lastTap) < doubleTapPx
    lastTap = { ...point, atMs: isSecond ? -Infinity : performance.now() }
    if (!isSecond) return
    if (zoom.isClose()) zoom.reset()
    else zoom.by(point, doubleTapScale)
  }

  function setHeld(isHeld: boolean): void {
    if (isHeld === isHolding) return
    isHolding = isHeld
    on.hold(isHeld)
  }

  function pinch(): void {
    const [one, other] = [...fingers.values()]
    if (!one || !other) return
    const grown = distance(one.now, other.now) / Math.max(1, distance(one.start, other.start))
    const from = middle(one.start, other.start)
    zoom.moveFrom(startView, from, middle(one.now, other.now), startView.scale * grown)
  }

  function turnWheel(event: WheelEvent): void {
    event.preventDefault()
    const px = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? linePx : 1)
    // Browsers report a pinch on a touchpad as wheel events with `ctrlKey`, in smaller steps.
    zoom.by(pointOf(event), Math.exp(-px * (event.ctrlKey ? 0.01 : 0.002)))
    if (px > 0) zoom.settle()
  }

  function click(event: MouseEvent): void {
    const isMouse = event instanceof PointerEvent && event.pointerType === 'mouse'
    if (isMouse && !hasDragged) on.playOrPause()
  }

  function doubleClick(): void {
    if (zoom.isClose()) zoom.reset()
    else on.fullScreen()
  }

  const options = { signal: leaving.signal }
  surface.addEventListener('pointerdown', press, options)
  surface.addEventListener('pointermove', move, options)
  surface.addEventListener('pointerup', lift, options)
  surface.addEventListener('pointercancel', lift, options)
  surface.addEventListener('touchend', keepClickAway, { ...options, passive: false })
  surface.addEventListener('wheel', turnWheel, { ...options, passive: false })
  surface.addEventListener('click', click, options)
  surface.addEventListener('dblclick', doubleClick, options)
  surface.addEventListener('contextmenu', keepMenuAway, options)
  return {
    reset: zoom.reset,
    close: () => {
      clearTimeout(holdTimer)
      leaving.abort()
    },
  }
}

/** Prevents the context menu that a long press opens. */
function keepMenuAway(event: MouseEvent): void {
  if (event instanceof PointerEvent && event.pointerType !== 'mouse') event.preventDefault()
}

/** Prevents the click after a tap: it could press a control that the tap has just shown. */
function keepClickAway(event: TouchEvent): void {
  if (event.cancelable) event.preventDefault()
}

function pointOf({ clientX, clientY }: MouseEvent): Point {
  return { x: clientX, y: clientY }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

function middle(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }
}
