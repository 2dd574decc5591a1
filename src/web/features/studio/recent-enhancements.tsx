/** Recent enhancements, with buttons to save or download them and to end stuck ones. */
import { Download, Save } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import {
  type Generation,
  useClearStuck,
  useDownloadEnhanced,
  useRecent,
  useSaveEnhanced,
} from './enhance-data.ts'
import { enhanceWords } from './enhance-words.ts'
import { words } from './words.ts'

export function RecentEnhancements() {
  const recent = useRecent()
  const clearStuck = useClearStuck()
  const items = recent.data?.items ?? []
  return (
    <section aria-labelledby="enhanced-lately">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 id="enhanced-lately" className="text-lg font-semibold">
          {enhanceWords.recent}
        </h2>
        {items.some(({ status }) => status === 'pending') && (
          <Button
            size="small"
            look="line"
            isBusy={clearStuck.isPending}
            onClick={() => clearStuck.mutate()}
          >
            {enhanceWords.endStuck}
          </Button>
        )}
      </div>
      {recent.isPending && (
        <Waiting label={enhanceWords.loadingRecent}>
          <Skeleton className="h-40 w-40" />
        </Waiting>
      )}
      {recent.isError && <CannotShow error={recent.error} onRetry={() => void recent.refetch()} />}
      {recent.isSuccess && items.length === 0 && (
        <p className="text-ink-2">{enhanceWords.nothingYet}</p>
      )}
      <ul
        aria-labelledby="enhanced-lately"
        className="grid grid-cols-2 gap-3 empty:hidden xl:grid-cols-5 3xl:grid-cols-7"
      >
        {items.map((item) => (
          <li
            key={item.id}
            className="grid content-start gap-2 rounded-mount bg-mount p-2 shadow-mount"
          >
            <Enhancement item={item} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Enhancement({ item }: { item: Generation }) {
  const save = useSaveEnhanced()
  const download = useDownloadEnhanced()
  const name = enhanceWords.result({ id: item.id })
  if (item.status !== 'completed' || item.resultUrl === null)
    return (
      <p className="grid aspect-square place-items-center rounded-aperture bg-well p-3 text-center text-sm text-ink-2">
        {item.status === 'pending'
          ? enhanceWords.stillWorking
          : item.isRefunded
            ? enhanceWords.creditsBack
            : enhanceWords.notDone}
      </p>
    )
  return (
    <>
      <img
        src={item.resultUrl}
        alt={name}
        loading="lazy"
        className="aspect-square w-full rounded-aperture bg-well object-contain"
      />
      <p className="flex flex-wrap justify-between gap-x-3 px-1 text-xs text-ink-3">
        <span>{words.pixels({ width: item.width ?? 0, height: item.height ?? 0 })}</span>
        {item.mediaId !== null && <span>{words.inVault}</span>}
      </p>
      <div className="flex flex-wrap gap-1">
        {item.mediaId === null && (
          <Button
            size="small"
            icon={<Save size={16} aria-hidden="true" />}
            aria-label={words.keepNamed({ name })}
            isBusy={save.isPending}
            onClick={() => save.mutate(item.id)}
          >
            {words.keep}
          </Button>
        )}
        <Button
          size="small"
          look="bare"
          icon={<Download size={16} aria-hidden="true" />}
          aria-label={words.downloadNamed({ name })}
          isBusy={download.isPending}
          onClick={() => download.mutate(item)}
        >
          {words.download}
        </Button>
      </div>
    </>
  )
}
