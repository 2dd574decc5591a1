/** The used share of the user's storage. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { formatSize } from '../../words/figures.ts'
import { words } from './storage-words.ts'

/** Renders nothing until the data is loaded: the vault works without it. */
export function StorageBar() {
  const { data } = useQuery({ queryKey: keys.vault.storage, queryFn: () => client.storage.read() })
  if (!data) return null
  const { usedBytes, quotaBytes, trashBytes } = data
  const used = formatSize(usedBytes)
  return (
    <section aria-label={words.storage} className="grid max-w-[24rem] gap-1.5 text-sm text-ink-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p>
          {quotaBytes === null
            ? words.used({ used })
            : words.usedOf({ used, quota: formatSize(quotaBytes) })}
        </p>
        <Link href="/trash" className="text-link">
          {trashBytes > 0 ? words.ofThatTrash({ size: formatSize(trashBytes) }) : words.trash}
        </Link>
      </div>
      {quotaBytes !== null && (
        <ProgressLine label={words.storage} share={Math.min(1, usedBytes / quotaBytes)} />
      )}
    </section>
  )
}
