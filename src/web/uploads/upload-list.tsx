/** Lists files being uploaded with their progress. Failed ones have a reason and a retry button. */
import { RotateCw, X } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { ProgressLine } from '../ui/progress-line.tsx'
import { uploadQueue } from './page-uploads.ts'
import { isRetryable, type Rest, type Upload } from './upload-queue.ts'
import { words } from './words.ts'

/** More lines would hide the page, so the other files are only counted. */
const maxShown = 6

export function UploadList({ uploads }: { uploads: readonly Upload[] }) {
  const failed = uploads.filter(({ state }) => state === 'failed')
  const sending = uploads.filter(({ state }) => state === 'sending')
  const waiting = uploads.filter(({ state }) => state === 'waiting')
  const shown = [...failed, ...sending, ...waiting].slice(0, maxShown)
  if (shown.length === 0) return null
  const more = failed.length + sending.length + waiting.length - shown.length
  return (
    <ul aria-label={words.uploads} className="grid gap-1.5 text-sm">
      {shown.map((upload) => (
        <UploadLine key={upload.id} upload={upload} />
      ))}
      {more > 0 && <li className="text-xs text-ink-3">{words.more({ count: more })}</li>}
    </ul>
  )
}

function UploadLine({ upload }: { upload: Upload }) {
  const { id, name, state, share, failure } = upload
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-1">
      <span className="grid gap-1">
        <span className="truncate">{name}</span>
        {failure === null ? (
          <ProgressLine label={words.uploading({ name })} share={share} />
        ) : (
          <span role="alert" className="text-xs text-danger">
            {failure}
          </span>
        )}
      </span>
      <span className="flex">
        {isRetryable(upload) && (
          <IconButton
            label={words.tryOneAgain({ name })}
            icon={<RotateCw size={16} aria-hidden="true" />}
            onClick={() => uploadQueue.retry((upload) => upload.id === id)}
          />
        )}
        <IconButton
          label={state === 'failed' ? words.dismissOne({ name }) : words.cancelOne({ name })}
          icon={<X size={16} aria-hidden="true" />}
          onClick={() => uploadQueue.remove((upload) => upload.id === id)}
        />
      </span>
    </li>
  )
}

/** Returns the reason why nothing is sent at the moment. */
export function restWords({ rest, isPaused }: { rest: Rest | null; isPaused: boolean }): string {
  if (isPaused) return words.paused
  return rest === null ? '' : words.rests[rest.reason]
}
