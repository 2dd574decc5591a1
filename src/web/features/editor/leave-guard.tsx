/**
 * Asks before unsaved work is left: by a link, by the back button, by closing the tab. Links and the back
 * button are intercepted before the router; for a closing tab the browser asks.
 */
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { guardBack } from '../../back-guard.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { words } from './words.ts'

/** The destination: an address, or one step back. */
type Way = { readonly href: string } | 'back'

export function LeaveGuard({
  isUnsaved,
  saveName,
  save,
  onLeave,
}: {
  isUnsaved: boolean
  /** The label of the save button, or null when saving is not possible yet. */
  saveName: string | null
  save: () => Promise<boolean>
  /** Called when the user leaves without saving. */
  onLeave?: () => void
}) {
  const [way, setWay] = useState<Way | null>(null)
  const isLeaving = useRef(false)
  const [, navigate] = useLocation()
  useEffect(() => {
    if (!isUnsaved) return
    isLeaving.current = false
    return stopLeaving((way) => {
      if (isLeaving.current) return false
      setWay(way)
      return true
    })
  }, [isUnsaved])

  function leave() {
    isLeaving.current = true
    if (way === 'back') window.history.back()
    else if (way) navigate(way.href)
    setWay(null)
  }

  async function saveAndLeave() {
    if (await save()) leave()
    else setWay(null)
  }

  if (way === null) return null
  return (
    <Dialog title={words.leaveUnsaved} onClose={() => setWay(null)}>
      <p className="text-ink-2">{words.leaveUnsavedReason}</p>
      <DialogActions>
        <Button look="bare" onClick={() => setWay(null)}>
          {words.stay}
        </Button>
        <Button
          look="danger"
          onClick={() => {
            onLeave?.()
            leave()
          }}
        >
          {words.leave}
        </Button>
        {saveName !== null && (
          <Button look="lit" onClick={() => void saveAndLeave()}>
            {saveName}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

/**
 * Intercepts navigation. `ask` returns true when it shows the dialog; otherwise the navigation continues.
 * Returns a function that removes the listeners.
 */
function stopLeaving(ask: (way: Way) => boolean): () => void {
  const here = window.location.pathname + window.location.search
  const onClick = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null
    if (!isPlain || !(link instanceof HTMLAnchorElement) || link.target !== '') return
    if (link.origin !== window.location.origin || link.hash !== '') return
    if (!ask({ href: link.pathname + link.search })) return
    event.preventDefault()
    event.stopPropagation()
  }
  const stopGuarding = guardBack(() => {
    if (!ask('back')) return false
    // The browser has already gone back. Push the page's address again.
    window.history.pushState(null, '', here)
    return true
  })
  document.addEventListener('click', onClick, { capture: true })
  window.addEventListener('beforeunload', askOnClosing)
  return () => {
    document.removeEventListener('click', onClick, { capture: true })
    stopGuarding()
    window.removeEventListener('beforeunload', askOnClosing)
  }
}

function askOnClosing(event: BeforeUnloadEvent) {
  event.preventDefault()
}
