/**
 * Asks before unsaved work is left behind: by a link, by going back, by closing the tab. Links and
 * the way back are stopped before the router sees them; for a closing tab the browser asks.
 */
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { guardBack } from '../../back-guard.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { words } from './words.ts'

/** Where it goes on: to an address, or one step back. */
type Way = { readonly href: string } | 'back'

export function LeaveGuard({
  isUnsaved,
  saveName,
  save,
  onLeave,
}: {
  isUnsaved: boolean
  /** What saving is called here; null where it cannot be saved yet. */
  saveName: string | null
  save: () => Promise<boolean>
  /** It is left without saving. */
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

/** `ask` says whether someone is asked; otherwise it goes on. Returns what ends the watch. */
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
    // The browser has gone back already; the page stands again where it was.
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
