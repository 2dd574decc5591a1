/** The results of the last day, each with its remaining time, to save or discard. */
import { Download, Save, Shuffle, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { lazyPart } from '../../parts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { DialogPart } from '../../ui/dialog-part.tsx'
import { composeWords } from './compose-words.ts'
import { type MadeResult, useDiscard, useKeep, useResults } from './results-data.ts'
import { words } from './words.ts'

const RemixDialog = lazyPart(async () => (await import('./remix-dialog.tsx')).RemixDialog)

const minuteMs = 60_000

export function RecentResults() {
  const results = useResults()
  const nowMs = useMinute()
  const items = (results.data?.items ?? []).filter((item) => Date.parse(item.expiresAt) > nowMs)
  return (
    <section aria-labelledby="made-today" className="mt-2">
      <h2 id="made-today" className="mb-3 text-lg font-semibold">
        {words.madeToday}
      </h2>
      {results.isPending && (
        <Waiting label={words.loadingResults}>
          <div className={gridLook}>
            <Skeleton className="aspect-3/2" />
            <Skeleton className="aspect-3/2" />
          </div>
        </Waiting>
      )}
      {results.isError && (
        <CannotShow error={results.error} onRetry={() => void results.refetch()} />
      )}
      {results.isSuccess && items.length === 0 && (
        <p className="text-ink-2">
          <span className="show-voice">{words.nothingMade}.</span> {words.nothingMadeYet}
        </p>
      )}
      {items.length > 0 && (
        <ul aria-labelledby="made-today" className={gridLook}>
          {items.map((item) => (
            <li key={item.imageUrl}>
              <ResultCard result={item} nowMs={nowMs} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function ResultCard({ result, nowMs }: { result: MadeResult; nowMs: number }) {
  const keep = useKeep()
  const [dialog, setDialog] = useState<'discard' | 'remix' | null>(null)
  const name = words.names[result.tool]
  const { layout, seam } = result
  const close = () => setDialog(null)
  return (
    <article className="grid gap-2 rounded-mount bg-mount p-2 shadow-mount">
      <img
        src={result.imageUrl}
        alt={name}
        loading="lazy"
        className="aspect-3/2 w-full rounded-aperture bg-well object-contain"
      />
      <p className="flex flex-wrap justify-between gap-x-3 px-1 text-xs text-ink-3">
        <span>{words.pixels({ width: result.width, height: result.height })}</span>
        <span className="font-[560] text-ink-2">
          {result.mediaId === null ? timeLeft(Date.parse(result.expiresAt) - nowMs) : words.inVault}
        </span>
      </p>
      <div className="flex flex-wrap gap-1">
        {result.mediaId === null && (
          <Button
            size="small"
            icon={<Save size={16} aria-hidden="true" />}
            aria-label={words.keepNamed({ name })}
            isBusy={keep.isPending}
            onClick={() => keep.mutate(result.imageUrl)}
          >
            {words.keep}
          </Button>
        )}
        {layout !== null && seam !== null && (
          <Button
            size="small"
            look="bare"
            icon={<Shuffle size={16} aria-hidden="true" />}
            onClick={() => setDialog('remix')}
          >
            {composeWords.remix}
          </Button>
        )}
        <a
          href={result.imageUrl}
          download={fileName(result)}
          aria-label={words.downloadNamed({ name })}
          className="button button-bare min-h-8 px-2.5 text-sm"
        >
          <Download size={16} aria-hidden="true" />
          {words.download}
        </a>
        <IconButton
          label={words.discardNamed({ name })}
          icon={<Trash2 size={16} aria-hidden="true" />}
          className="ms-auto size-8"
          onClick={() => setDialog('discard')}
        />
      </div>
      {dialog === 'discard' && <Discard imageUrl={result.imageUrl} onClose={close} />}
      {dialog === 'remix' && layout !== null && seam !== null && (
        <DialogPart>
          <RemixDialog composition={{ ...result, layout, seam }} onClose={close} />
        </DialogPart>
      )}
    </article>
  )
}

function Discard({ imageUrl, onClose }: { imageUrl: string; onClose: () => void }) {
  const discard = useDiscard()
  return (
    <ConfirmDialog
      question={words.discardTitle}
      consequence={words.discardConsequence}
      keep={words.cancel}
      action={words.discard}
      run={() => discard.mutateAsync(imageUrl)}
      onClose={onClose}
    />
  )
}

/** Updates the time every minute. */
function useMinute(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), minuteMs)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

function timeLeft(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / minuteMs))
  return minutes < 60
    ? words.minutesLeft({ count: minutes })
    : words.hoursLeft({ count: Math.floor(minutes / 60) })
}

function fileName({ tool, imageUrl }: MadeResult): string {
  const [, extension = 'jpg'] = /\.([a-z]+)(\?|$)/.exec(imageUrl) ?? []
  return `${tool}.${extension}`
}

const gridLook = 'grid grid-cols-1 gap-3 min-[480px]:grid-cols-2 xl:grid-cols-4 3xl:grid-cols-6'
