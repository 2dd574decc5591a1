/**
 * Shows the upload progress of one part of a page: one line for all files, the failed ones, and the
 * ones left out.
 */
import { X } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { PlayPauseButton } from '../ui/play-pause-button.tsx'
import { ProgressLine } from '../ui/progress-line.tsx'
import type { LeftOut } from './gather-media.ts'
import { LeftOutList } from './left-out-list.tsx'
import { isUnfinished, uploadQueue } from './page-uploads.ts'
import { restWords, UploadList } from './upload-list.tsx'
import type { Rest, Upload } from './upload-queue.ts'
import { words } from './words.ts'

export function UploadProgress({
  uploads,
  isPaused,
  rest,
  leftOut,
  onDismiss,
}: {
  uploads: readonly Upload[]
  isPaused: boolean
  rest: Rest | null
  leftOut: readonly LeftOut[]
  onDismiss: (gone: readonly LeftOut[]) => void
}) {
  const unfinished = uploads.filter(isUnfinished)
  const stored = uploads.filter(({ state }) => state === 'stored').length
  const status = restWords({ rest, isPaused })
  return (
    <div className="grid gap-2 empty:hidden">
      {unfinished.length > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2">
          <div className="grid gap-1.5">
            <output className="text-xs text-ink-2">
              {words.uploadingSeveral({ stored, total: uploads.length })}
              {status !== '' && `. ${status}`}
            </output>
            <ProgressLine label={words.filesSent} share={shareOf(uploads)} />
          </div>
          <span className="flex">
            <PlayPauseButton
              isRunning={!isPaused}
              startLabel={words.resumeUploads}
              stopLabel={words.pauseUploads}
              iconSize={16}
              onClick={() => (isPaused ? uploadQueue.resume() : uploadQueue.pause())}
            />
            <IconButton
              label={words.cancelUploads}
              icon={<X size={16} aria-hidden="true" />}
              onClick={() =>
                uploadQueue.remove((upload) => unfinished.some(({ id }) => id === upload.id))
              }
            />
          </span>
        </div>
      )}
      <UploadList uploads={uploads.filter(({ state }) => state === 'failed')} />
      <LeftOutList leftOut={leftOut} onDismiss={onDismiss} />
    </div>
  )
}

/** Returns the progress by bytes: a large video takes longer than many small pictures. */
export function shareOf(uploads: readonly Pick<Upload, 'share' | 'sizeBytes'>[]): number {
  const all = uploads.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const sent = uploads.reduce((sum, { share, sizeBytes }) => sum + share * sizeBytes, 0)
  return all === 0 ? 0 : sent / all
}
