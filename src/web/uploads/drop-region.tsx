/**
 * Accepts files dropped on or pasted into any page that does not use them itself, and makes a session
 * of them. It is part of every page's frame, so the code that does the work is loaded on demand.
 */
import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useLocation } from 'wouter'
import { lazyPart, loadPart } from '../parts.ts'
import { showToast } from '../ui/toasts.tsx'
import type { Brought } from './brought-files.ts'
import { words } from './words.ts'
import { handOver, useHover, useIsTrayShown, usePageIntake, useTaker } from './page-intake.ts'

const UploadTray = lazyPart(async () => (await import('./upload-tray.tsx')).UploadTray)

export function DropRegion() {
  usePageIntake()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const isTrayShown = useIsTrayShown()

  async function take(coming: Promise<Brought>) {
    const brought = await coming
    const { gatherMedia } = await loadPart(() => import('./gather-media.ts'))
    const gathered = await gatherMedia(brought)
    if (gathered.media.length > 0) {
      const { makeSession } = await loadPart(() => import('./session-makings.ts'))
      void makeSession(queryClient, gathered, gathered.suggestedTitle)
      return
    }
    const others = [...gathered.archives, ...gathered.others]
    if (others.length > 0) {
      handOver(others)
      navigate('/import')
      return
    }
    const [first] = gathered.leftOut
    showToast({ text: first ? `${first.name}: ${first.why}` : words.nothingInIt, isFailure: true })
  }

  useTaker(
    {
      hint: words.letGo,
      onFiles: (coming) =>
        void take(coming).catch(() => showToast({ text: words.unreadable, isFailure: true })),
    },
    { isLastResort: true },
  )
  return (
    <>
      <HoverHint />
      <Suspense>{isTrayShown && <UploadTray />}</Suspense>
    </>
  )
}

function HoverHint() {
  const hover = useHover()
  if (hover === null || hover.hint === null) return null
  return (
    <div className="pointer-events-none fixed inset-3 z-50 grid place-content-center rounded-sheet border-2 border-dashed border-lamp bg-scrim">
      <p className="show-voice rounded-mount bg-raised px-6 py-4 text-xl font-[500] shadow-lift">
        {hover.hint}
      </p>
    </div>
  )
}
