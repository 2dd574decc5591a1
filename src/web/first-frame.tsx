/**
 * The picture that the server has put into the page before any script. Its element is reused and stays until
 * the page itself shows the same picture.
 */
import { useLayoutEffect, useRef } from 'react'

type FrameName = 'show' | 'link'
type Frame = { readonly element: HTMLElement; readonly path: string }

let kept: Frame | null = null

/** Keeps the element before the application replaces the content of `container`. */
export function keepFirstFrame(container: HTMLElement): void {
  const element = container.querySelector<HTMLElement>('[data-first-frame]')
  kept = element && { element, path: location.pathname }
}

export function hasFirstFrame(name: FrameName): boolean {
  return frameNamed(name) !== null
}

/** Removes the element. It is shown once: a later visit to the page does not use it. */
export function dropFirstFrame(): void {
  kept?.element.remove()
  kept = null
}

/** Returns the address of the file that it has loaded, in the form of `addresses`, or null. */
export function firstFrameAddress(addresses: readonly string[]): string | null {
  const source = kept?.element.querySelector('img')?.currentSrc ?? ''
  if (source === '') return null
  return addresses.find((one) => new URL(one, document.baseURI).href === source) ?? null
}

export function FirstFrame({ name }: { name: FrameName }) {
  const container = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = frameNamed(name)
    if (element) container.current?.append(element)
  }, [name])
  return <div ref={container} className="contents" />
}

function frameNamed(name: FrameName): HTMLElement | null {
  if (kept === null || kept.path !== location.pathname) return null
  return kept.element.dataset['firstFrame'] === name ? kept.element : null
}
