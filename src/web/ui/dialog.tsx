/** A modal dialog over the page. On a phone it is a sheet at the lower edge. */
import { X } from 'lucide-react'
import {
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { layers, notifyListeners, ToastRegion } from './toasts.tsx'
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
  /** The current step of a dialog with several steps. */
  step?: string
  onClose: () => void
  width?: 'wide'
  /** For pages that are dark in every theme. */
  theme?: 'dark'
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const question = `${title} ${step}`
  const shownQuestion = useRef(question)
  useSteadyPage()
  const toasts = useRef<HTMLDivElement>(null)
  useModal(dialog, toasts)
  useEffect(() => {
    if (shownQuestion.current === question) return
    // A new step takes the focus, as the first one did.
    shownQuestion.current = question
    focusStart(dialog.current)
  }, [question])
  const toastLayer = useToastLayer()
  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      data-dialog=""
      data-theme={theme}
      className={`dialog ${width === 'wide' ? '[--dialog-width:36rem]' : ''}`}
      onCancel={(event) => {
        // The caller decides: it may first ask for confirmation.
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => isOnBackdrop(event) && onClose()}
    >
      <div className="sticky -top-5 z-10 -mx-5 -mt-5 flex items-start justify-between gap-4 bg-raised px-5 pt-5 pb-2 sm:-top-6 sm:-mx-6 sm:-mt-6 sm:px-6 sm:pt-6">
        <h2
          id={titleId}
          tabIndex={-1}
          className="min-w-0 text-xl leading-snug font-semibold text-balance break-words outline-none"
        >
          {title}
        </h2>
        <button
          type="button"
          className="icon-button -mt-1 -me-2"
          aria-label={words.close}
          onClick={onClose}
        >
          <X size={18} aria-hidden="true" />
        </button>
      </div>
      {children}
      {/* Lies above the page and the dialog, and scrolls with neither. */}
      <div ref={toasts} popover="manual" className="toast-layer">
        <ToastRegion layer={toastLayer} />
      </div>
    </dialog>,
    document.body,
  )
}

/**
 * The actions of a dialog: at the right, the safe one first; stacked on a phone. They stick to the foot while
 * the content above scrolls.
 */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-7 z-10 -mx-5 -mb-7 flex flex-col-reverse gap-2 bg-raised px-5 pt-3 pb-7 sm:-bottom-6 sm:-mx-6 sm:-mb-6 sm:flex-row sm:justify-end sm:px-6 sm:pb-6">
      {children}
    </div>
  )
}

const field = ':is(input, select, textarea):enabled:not([type=hidden], [type=radio]:not(:checked))'

/**
 * Focuses the first field, else the lit button, else the title. It never focuses the close button, which
 * would undo the opening.
 */
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
    notifyListeners()
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      notifyListeners()
    }
  }, [layer])
  return layer
}

/** Opens the dialog, which makes the page inert, and shows its toasts above both. */
function useModal(
  dialog: RefObject<HTMLDialogElement | null>,
  toasts: RefObject<HTMLDivElement | null>,
) {
  useLayoutEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    element?.showModal()
    // The newest element is on top in the browser's top layer. Some browsers have dialogs, but no
    // popovers.
    if (toasts.current && 'showPopover' in toasts.current) toasts.current.showPopover()
    focusStart(element)
    return () => {
      element?.close()
      // Waits until this dialog, and a parent dialog that closes with it, are removed.
      queueMicrotask(() => returnFocus(opener))
    }
  }, [dialog, toasts])
}

/** Returns the focus to the element that opened the dialog, or to the main content if it is gone. */
function returnFocus(opener: Element | null) {
  // Closing the dialog may already have moved the focus.
  const { activeElement } = document
  if (activeElement !== null && activeElement !== document.body && activeElement !== opener) return
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  const target = isThere ? opener : document.getElementById('main')
  target?.focus({ preventScroll: true })
}

/** A press on the backdrop targets the dialog element, but lies outside its box. */
function isOnBackdrop({ target, currentTarget, clientX, clientY }: PointerEvent): boolean {
  if (target !== currentTarget) return false
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

/** Stops the page behind from scrolling and reserves the width of its scrollbar (ui.css). */
function useSteadyPage() {
  const [scrollbarPx] = useState(() => window.innerWidth - document.documentElement.clientWidth)
  useLayoutEffect(() => {
    // A dialog over another finds no scrollbar.
    if (scrollbarPx === 0) return
    const { style } = document.documentElement
    style.setProperty('--page-scrollbar', `${scrollbarPx}px`)
    return () => void style.removeProperty('--page-scrollbar')
  }, [scrollbarPx])
}
