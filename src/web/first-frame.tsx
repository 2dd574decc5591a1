/**
 * The picture that the server has put on the page before any script. It is taken over as it is, element
 * and file, and stands until the page shows the same picture itself.
 */
import { useLayoutEffect, useRef } from 'react'

type FrameName = 'show' | 'link'
type Frame = { readonly element: HTMLElement; readonly path: string }

let kept: Frame | null = null

/** Before the application takes the place of all that stands in it. */
export function keepFirstFrame(place: HTMLElement): void {
  const element = place.querySelector<HTMLElement>('[data-first-frame]')
  kept = element && { element, path: location.pathname }
}

export function hasFirstFrame(name: FrameName): boolean {
  return frameNamed(name) !== null
}

/** It is shown once: whoever comes back to the page sees what the page shows. */
export function dropFirstFrame(): void {
  kept?.element.remove()
  kept = null
}

/** The file that was loaded for it, as the page writes its address; null where there is none. */
export function firstFrameAddress(addresses: readonly string[]): string | null {
  const source = kept?.element.querySelector('img')?.currentSrc ?? ''
  if (source === '') return null
  return addresses.find((one) => new URL(one, document.baseURI).href === source) ?? null
}

export function FirstFrame({ name }: { name: FrameName }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = frameNamed(name)
    if (element) place.current?.append(element)
  }, [name])
  return <div ref={place} className="contents" />
}

function frameNamed(name: FrameName): HTMLElement | null {
  if (kept === null || kept.path !== location.pathname) return null
  return kept.element.dataset['firstFrame'] === name ? kept.element : null
}
