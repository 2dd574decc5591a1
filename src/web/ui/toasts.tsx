/**
 * Short messages at the lower edge: one sentence, at most one action. They leave after six seconds,
 * but not while they are pointed at or focused; what went wrong stays until it is closed.
 */
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { IconButton } from './button.tsx'
import { words } from './words.ts'

export type Toast = {
  readonly text: string
  readonly isFailure?: boolean
  readonly action?: { readonly label: string; readonly run: () => void }
  /** It has left, and its action was not taken. */
  readonly onGone?: () => void
}

const stayMs = 6000

let shown: readonly (Toast & { id: number })[] = []
let lastId = 0
const listeners = new Set<() => void>()

export function showToast(toast: Toast) {
  lastId += 1
  // A third would hide what the page is about.
  change([...shown.slice(-1), { ...toast, id: lastId }])
}

/** Mounted once, by the application. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribe, () => shown)
  return (
    <output className="toasts">
      {toasts.map((toast) => (
        <ToastCard
          key={toast.id}
          toast={toast}
          onClose={() => close(toast.id)}
          onUsed={() => close(toast.id, { isUsed: true })}
        />
      ))}
    </output>
  )
}

function ToastCard({
  toast,
  onClose,
  onUsed,
}: {
  toast: Toast
  onClose: () => void
  onUsed: () => void
}) {
  const [isHeld, setIsHeld] = useState(false)
  const stays = isHeld || toast.isFailure === true
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(onClose, stayMs)
    return () => clearTimeout(timer)
  }, [stays, onClose])
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
            onUsed()
          }}
        >
          {toast.action.label}
        </button>
      )}
      <IconButton
        label={words.dismiss}
        icon={<X size={16} aria-hidden="true" />}
        onClick={onClose}
      />
    </div>
  )
}

function close(id: number, { isUsed } = { isUsed: false }) {
  const gone = shown.find((toast) => toast.id === id)
  change(
    shown.filter((toast) => toast !== gone),
    isUsed ? gone : undefined,
  )
}

function change(toasts: typeof shown, used?: Toast) {
  const gone = shown.filter((toast) => toast !== used && !toasts.includes(toast))
  shown = toasts
  for (const listener of listeners) listener()
  for (const { onGone } of gone) onGone?.()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
