/**
 * A dialog over the page, a sheet from below on a phone. The dimming is drawn here and not by the
 * library, whose own would write a style element that the pages' content policy refuses.
 */
import { X } from 'lucide-react'
import { Dialog as RadixDialog } from 'radix-ui'
import type { ReactNode } from 'react'

export function Dialog({
  title,
  onClose,
  width,
  children,
}: {
  title: string
  onClose: () => void
  width?: 'wide'
  children: ReactNode
}) {
  return (
    <RadixDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        <div className="scrim" aria-hidden="true" />
        <RadixDialog.Content
          data-dialog=""
          aria-describedby={undefined}
          className={`dialog ${width === 'wide' ? '[--dialog-width:36rem]' : ''}`}
        >
          <div className="flex items-start justify-between gap-4">
            <RadixDialog.Title className="text-xl leading-snug font-semibold text-balance break-words">
              {title}
            </RadixDialog.Title>
            <RadixDialog.Close className="icon-button -mt-1 -mr-2" aria-label="Close">
              <X size={18} aria-hidden="true" />
            </RadixDialog.Close>
          </div>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

/** The actions of a dialog: at the right, the safe one first; above each other on a phone. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="mt-1 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>
  )
}
