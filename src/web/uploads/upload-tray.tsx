/**
 * The tray at the bottom edge: shows sessions that are being made from files, with their progress and
 * actions.
 */
import { Play, X } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useUnsavedWork } from '../features/accounts/unsaved-work.ts'
import { Button, ButtonLink, IconButton } from '../ui/button.tsx'
import { PlayPauseButton } from '../ui/play-pause-button.tsx'
import { Failure } from '../ui/failure.tsx'
import { ProgressLine } from '../ui/progress-line.tsx'
import { isUnfinished, uploadQueue, useUploads } from './page-uploads.ts'
import {
  cancelMaking,
  dismissLeftOut,
  dismissMaking,
  type Making,
  useMakings,
  useMakingUploads,
} from './session-makings.ts'
import { LeftOutList } from './left-out-list.tsx'
import { restWords, UploadList } from './upload-list.tsx'
import { shareOf } from './upload-progress.tsx'
import { isRetryable } from './upload-queue.ts'
import { words } from './words.ts'

export function UploadTray() {
  const makings = useMakings()
  useOwnUploads()
  return (
    <div className="fixed end-page bottom-20 z-30 grid w-[min(24rem,calc(100vw-2*var(--spacing-page)))] gap-2 sm:bottom-5">
      {makings.map((making) => (
        <MakingCard key={making.id} making={making} />
      ))}
    </div>
  )
}

/** Asks before a tab with unfinished uploads is closed: they are unsaved work. */
function useOwnUploads() {
  const { uploads } = useUploads()
  const isSending = uploads.some(isUnfinished)
  useUnsavedWork(isSending)
  useEffect(() => {
    if (!isSending) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isSending])
}

/** Dismisses a finished session without failures when the page is left. */
function useGoneWhenDone(id: number, isDone: boolean) {
  const leave = useEffectEvent(() => {
    if (isDone) dismissMaking(id)
  })
  useEffect(() => () => leave(), [])
}

function MakingCard({ making }: { making: Making }) {
  const { id, title, total, leftOut, growth } = making
  const { uploads, isPaused, rest } = useMakingUploads(id)
  const stored = uploads.filter(({ state }) => state === 'stored').length
  const failed = uploads.filter(({ state }) => state === 'failed')
  const isRunning = uploads.some(isUnfinished)
  useGoneWhenDone(id, growth.isWhole && failed.length === 0 && leftOut.length === 0)
  const status = isRunning ? restWords({ rest, isPaused }) : ''
  return (
    <section
      aria-label={title}
      className="grid gap-2.5 rounded-mount bg-raised p-4 shadow-lift [--ground:var(--color-raised)]"
    >
      <div className="flex items-start gap-1">
        <div className="min-w-0 grow">
          <h2 className="show-voice truncate text-lg leading-snug font-[500]">{title}</h2>
          <output className="text-xs text-ink-2">
            {growth.isWhole && failed.length === 0
              ? words.allHere({ total })
              : words.someHere({ stored, total })}
            {status !== '' && `. ${status}`}
          </output>
        </div>
        {isRunning ? (
          <>
            <PlayPauseButton
              isRunning={!isPaused}
              startLabel={words.resume}
              stopLabel={words.pause}
              onClick={() => (isPaused ? uploadQueue.resume() : uploadQueue.pause())}
            />
            <IconButton
              label={words.cancel}
              icon={<X size={18} aria-hidden="true" />}
              onClick={() => cancelMaking(id)}
            />
          </>
        ) : (
          <IconButton
            label={words.dismiss}
            icon={<X size={18} aria-hidden="true" />}
            onClick={() => dismissMaking(id)}
          />
        )}
      </div>
      {isRunning && <ProgressLine label={words.picturesSent} share={shareOf(uploads)} />}
      <UploadList uploads={failed} />
      <LeftOutList leftOut={leftOut} onDismiss={(gone) => dismissLeftOut(id, gone)} />
      <Failure text={growth.failure} />
      <div className="flex flex-wrap gap-2 empty:hidden">
        {failed.filter(isRetryable).length > 1 && (
          <Button size="small" onClick={() => uploadQueue.retry(({ batch }) => batch === id)}>
            {words.tryAllAgain}
          </Button>
        )}
        {growth.failure !== null && (
          <Button size="small" onClick={making.retry}>
            {words.tryAgain}
          </Button>
        )}
        {growth.session !== null && (
          <>
            <ButtonLink
              href={`/play/${growth.session.id}`}
              look="lit"
              size="small"
              icon={<Play size={16} aria-hidden="true" />}
            >
              {words.play}
            </ButtonLink>
            <ButtonLink href={`/sessions/${growth.session.id}`} look="bare" size="small">
              {words.open}
            </ButtonLink>
          </>
        )}
      </div>
    </section>
  )
}
