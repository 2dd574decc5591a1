/**
 * Gives everything that is dropped on the page or pasted into it to one taker: the last one that was
 * mounted. So a dialog precedes its page, and a page precedes its frame. This file is small, because
 * every page contains it.
 */
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { type Brought, filesOfDrop } from './brought-files.ts'
import { droppedIn, staysInField, takeEarlyDrop } from './early-drop.ts'

export type Taker = {
  /** The text over the page while files hover over it. Null if the page shows its own. */
  readonly hint: string | null
  readonly onFiles: (brought: Promise<Brought>) => void
  /** Receives addresses and text, if the taker can use them. */
  readonly onText?: (text: string) => void
}

let takers: readonly { readonly current: () => Taker }[] = []
let hover: { readonly hint: string | null } | null = null
let handedOver: readonly File[] = []
let isTrayShown = false
/** True while something from the page itself is dragged. It is not meant for the page. */
let isOwnDrag = false
const listeners = new Set<() => void>()

/**
 * Makes this taker active while it is mounted. As the last resort, it gets only what no other taker
 * wants.
 */
export function useTaker(taker: Taker, { isLastResort } = { isLastResort: false }) {
  const current = useEffectEvent(() => taker)
  useEffect(() => {
    const mine = { current: () => current() }
    takers = isLastResort ? [mine, ...takers] : [...takers, mine]
    return () => {
      takers = takers.filter((other) => other !== mine)
    }
  }, [isLastResort])
}

/** Returns the hover state. It is null unless something that can be taken is over the page. */
export function useHover() {
  return useSyncExternalStore(subscribe, () => hover)
}

/** Keeps files for the page that is opened next. */
export function handOver(files: readonly File[]) {
  handedOver = files
}

export function takeHandedOver(): readonly File[] {
  const files = handedOver
  handedOver = []
  return files
}

/** Shows the upload tray, for uploads that continue on other pages. */
export function showTray() {
  isTrayShown = true
  for (const notify of listeners) notify()
}

export function useIsTrayShown(): boolean {
  return useSyncExternalStore(subscribe, () => isTrayShown)
}

/** Listens on the whole page. The frame mounts it once. */
export function usePageIntake() {
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    window.addEventListener('dragstart', () => (isOwnDrag = true), { signal })
    window.addEventListener('dragend', () => (isOwnDrag = false), { signal })
    window.addEventListener('dragenter', onHover, { signal })
    window.addEventListener('dragover', onHover, { signal })
    window.addEventListener(
      'dragleave',
      ({ relatedTarget }) => relatedTarget === null && setHover(null),
      { signal },
    )
    window.addEventListener('drop', onDrop, { signal })
    window.addEventListener('paste', onPaste, { signal })
    const early = takeEarlyDrop()
    // The taker is mounted a moment later.
    if (early) setTimeout(() => takers.at(-1)?.current().onFiles(filesOfDrop(early)))
    return () => listening.abort()
  }, [])
}

function onHover(event: DragEvent) {
  const taker = takerFor(event)
  if (!taker) return
  event.preventDefault()
  if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
  if (hover === null) setHover({ hint: taker.hint })
}

function onDrop(event: DragEvent) {
  setHover(null)
  const taker = takerFor(event)
  if (!taker || !event.dataTransfer) return
  event.preventDefault()
  give(taker, event.dataTransfer)
}

function onPaste(event: ClipboardEvent) {
  const { clipboardData } = event
  const taker = takers.at(-1)?.current()
  if (!clipboardData || !taker || event.defaultPrevented) return
  if (staysInField(event)) return
  if (clipboardData.files.length === 0 && !taker.onText) return
  event.preventDefault()
  give(taker, clipboardData)
}

function give(taker: Taker, data: DataTransfer) {
  const address = data.getData('text/uri-list')
  const text = address || data.getData('text/plain')
  // A picture that is dragged from a page is also a file, but its address is more useful.
  const isPicture = data.files.length > 0 && [...data.files].every(isImage)
  const isFiles = data.types.includes('Files')
  if (isFiles && !(isPicture && address !== '' && taker.onText))
    taker.onFiles(filesOfDrop(droppedIn(data)))
  else if (text !== '') taker.onText?.(text)
}

function takerFor({ dataTransfer, target }: DragEvent): Taker | null {
  const taker = takers.at(-1)?.current()
  const types = dataTransfer?.types ?? []
  if (!taker || isOwnDrag) return null
  if (types.includes('Files')) return taker
  // Text that is dropped into a field goes into the field.
  const isField = target instanceof Element && target.closest('textarea, input') !== null
  const isText = types.includes('text/uri-list') || types.includes('text/plain')
  return isText && !isField && taker.onText ? taker : null
}

function isImage({ type }: File): boolean {
  return type.startsWith('image/')
}

function setHover(next: typeof hover) {
  if (hover === next) return
  hover = next
  for (const notify of listeners) notify()
}

function subscribe(notify: () => void) {
  listeners.add(notify)
  return () => void listeners.delete(notify)
}
