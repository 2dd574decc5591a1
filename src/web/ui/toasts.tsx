/**
 * Short messages at the lower edge: one sentence, at most one action. They close after six seconds, but not
 * while the pointer or the focus is on them. A failure stays until the user closes it.
 */
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { explain } from '../api.ts'
import { IconButton } from './button.tsx'
import { words } from './words.ts'

export type Toast = {
  readonly text: string
  readonly isFailure?: boolean
  readonly action?: { readonly label: string; readonly run: () => void }
  /** Called when the toast has closed and its action was not used. */
  readonly onGone?: () => void
}

const stayMs = 6000

let shown: readonly (Toast & { id: number })[] = []
let lastId = 0
/** The open dialogs. Call `tell` after a change. */
export const layers: object[] = []
const listeners = new Set<() => void>()

export function showToast(toast: Toast) {
  lastId += 1
  // A third toast would cover the content of the page.
  change([...shown.slice(-1), { ...toast, id: lastId }])
}

/** Explains a failed request, for actions without room for a message beside them. */
export function showFailure(error: unknown) {
  showToast({ text: explain(error), isFailure: true })
}

/**
 * Shows the toasts. The application has a region, and each dialog has one with its own layer. Only the last
 * layer shows toasts: the user cannot reach or hear anything behind a dialog.
 */
export function ToastRegion({ layer }: { layer?: object }) {
  const toasts = useSyncExternalStore(subscribe, () => layers.at(-1) === layer && shown)
  return (
    <output className="toasts">
      {toasts && toasts.map((toast) => <ToastCard key={toast.id} toast={toast} />)}
    </output>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const [isHeld, setIsHeld] = useState(false)
  const stays = isHeld || toast.isFailure === true
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(() => change(without(toast)), stayMs)
    return () => clearTimeout(timer)
  }, [stays, toast])
  const Icon = toast.isFailure ? CircleAlert : CircleCheck
  return (
    <div
      className="toast"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Icon
        size={18}
        aria-hidden="true"
        className={`shrink-0 ${toast.isFailure ? 'text-danger' : 'text-good'}`}
      />
      <p className="grow">{toast.text}</p>
      {toast.action && (
        <button
          type="button"
          className="button toast-action"
          onClick={() => {
            toast.action?.run()
            change(without(toast), toast)
          }}
        >
          {toast.action.label}
        </button>
      )}
      <IconButton
        label={words.dismiss}
        icon={<X size={16} aria-hidden="true" />}
        onClick={() => change(without(toast))}
      />
    </div>
  )
}

function without(toast: Toast) {
  return shown.filter((one) => one !== toast)
}

function change(toasts: typeof shown, used?: Toast) {
  const gone = shown.filter((toast) => toast !== used && !toasts.includes(toast))
  shown = toasts
  notifyListeners()
  for (const { onGone } of gone) onGone?.()
}

/** Notifies every region that the layers or the toasts have changed. */
export function notifyListeners() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
