/**
 * A dialog over the page, a sheet from below on a phone. The dimming is drawn here and not by the
 * library, whose own would write a style element that the pages' content policy refuses.
 */
import { X } from 'lucide-react'
import { Dialog as RadixDialog } from 'radix-ui'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { layers, tell, ToastRegion } from './toasts.tsx'
import { words } from './words.ts'

export function Dialog({
  title,
  step = '',
  onClose,
  width,
  theme,
  children,
}: {
  title: string
  /** Where it has several: which of them it shows. */
  step?: string
  onClose: () => void
  width?: 'wide'
  /** Over what is dark whatever the page is. */
  theme?: 'dark'
  children: ReactNode
}) {
  const content = useRef<HTMLDivElement>(null)
  const returnFocus = useReturnOfFocus()
  const question = `${title} ${step}`
  const shownQuestion = useRef(question)
  useEffect(() => {
    if (shownQuestion.current === question) return
    // Another question begins like the first.
    shownQuestion.current = question
    focusStart(content.current)
  }, [question])
  useSteadyPage()
  const toastLayer = useToastLayer()
  return (
    <RadixDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        <div className="scrim" data-theme={theme} aria-hidden="true" />
        <RadixDialog.Content
          ref={content}
          data-dialog=""
          data-theme={theme}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            focusStart(content.current)
          }}
          onCloseAutoFocus={returnFocus}
          className={`dialog ${width === 'wide' ? '[--dialog-width:36rem]' : ''}`}
        >
          <div className="sticky -top-5 z-10 -mx-5 -mt-5 flex items-start justify-between gap-4 bg-raised px-5 pt-5 pb-2 sm:-top-6 sm:-mx-6 sm:-mt-6 sm:px-6 sm:pt-6">
            <RadixDialog.Title
              tabIndex={-1}
              className="text-xl leading-snug font-semibold text-balance break-words outline-none"
            >
              {title}
            </RadixDialog.Title>
            <RadixDialog.Close className="icon-button -mt-1 -me-2" aria-label={words.close}>
              <X size={18} aria-hidden="true" />
            </RadixDialog.Close>
          </div>
          {children}
          {/* Above the page and the dialog, of which it moves with neither. */}
          <div ref={lift} popover="manual" className="toast-layer">
            <ToastRegion layer={toastLayer} />
          </div>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

/**
 * The actions of a dialog: at the right, the safe one first; above each other on a phone. They stay at
 * its foot while what is above scrolls.
 */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-7 z-10 -mx-5 -mb-7 flex flex-col-reverse gap-2 bg-raised px-5 pt-3 pb-7 sm:-bottom-6 sm:-mx-6 sm:-mb-6 sm:flex-row sm:justify-end sm:px-6 sm:pb-6">
      {children}
    </div>
  )
}

const field = ':is(input, select, textarea):enabled:not([type=hidden], [type=radio]:not(:checked))'

/** The first field, else the lit button, else the title: never the cross, which undoes the opening. */
function focusStart(dialog: HTMLElement | null) {
  const start = [field, '.button-lit', 'h2']
    .map((selector) => dialog?.querySelector<HTMLElement>(selector))
    .find((found) => found)
  start?.focus({ preventScroll: true })
}

function useToastLayer(): object {
  const [layer] = useState(() => ({}))
  useLayoutEffect(() => {
    layers.push(layer)
    tell()
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      tell()
    }
  }, [layer])
  return layer
}

/** Into the browser's top layer, where it knows one. */
function lift(layer: HTMLElement | null) {
  if (layer && 'showPopover' in layer) layer.showPopover()
}

/** Back to what opened the dialog; where that is gone, to the page's content. */
function useReturnOfFocus(): (event: Event) => void {
  const [opener] = useState(findOpener)
  return (event) => {
    event.preventDefault()
    // What closed the dialog may have led on to somewhere already.
    if (document.activeElement !== document.body) return
    const isThere = opener !== null && opener.isConnected && opener !== document.body
    const target = isThere ? opener : document.getElementById('main')
    target?.focus({ preventScroll: true })
  }
}

/** An entry of a menu is gone with it, and its button stands in. */
function findOpener(): HTMLElement | null {
  const { activeElement } = document
  const menu = activeElement?.closest('[role=menu]')
  const opener = menu
    ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
    : activeElement
  return opener instanceof HTMLElement ? opener : null
}

/** The page behind does not scroll, and keeps the width that its scrollbar left it (ui.css). */
function useSteadyPage() {
  const [scrollbarPx] = useState(() => window.innerWidth - document.documentElement.clientWidth)
  useLayoutEffect(() => {
    // A dialog over another finds the scrollbar gone already.
    if (scrollbarPx === 0) return
    const { style } = document.documentElement
    style.setProperty('--page-scrollbar', `${scrollbarPx}px`)
    return () => void style.removeProperty('--page-scrollbar')
  }, [scrollbarPx])
}
