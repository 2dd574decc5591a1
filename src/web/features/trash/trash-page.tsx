/** The trash: deleted files and sessions, their remaining time, and buttons to restore or delete them. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { CheckSquare } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../api.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { formatSize } from '../../words/figures.ts'
import { useMarking } from '../editor/marking.ts'
import { DeleteForGood } from './delete-for-good.tsx'
import { restoreAndReport } from './restoring.ts'
import { type Trashed, TrashRow } from './trash-row.tsx'
import { words } from './words.ts'

const pageSize = '100'

export function TrashPage() {
  usePageTitle(words.trash)
  const queryClient = useQueryClient()
  const list = useInfiniteQuery({
    queryKey: keys.trash,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.trash.list({
        query: { limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const marking = useMarking(items.map((item) => ({ key: keyOf(item) })))
  const chosen = items.filter((item) => marking.keys.has(keyOf(item)))
  const [ending, setEnding] = useState<readonly Trashed[] | 'all' | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  async function restore(some: readonly Trashed[]) {
    setIsBusy(true)
    const { done } = await restoreAndReport(queryClient, some)
    setIsBusy(false)
    if (done.length === 0) return
    // The pressed button disappears with its row, so the page takes the focus.
    document.getElementById('main')?.focus({ preventScroll: true })
    showToast({ text: words.restored({ count: done.length }) })
  }

  return (
    <>
      <PageHead title={words.trash} back={{ href: '/vault', label: words.backToVault }}>
        {items.length > 0 && (
          <>
            <Button
              look="bare"
              icon={<CheckSquare size={18} aria-hidden="true" />}
              onClick={marking.all}
            >
              {words.selectAll}
            </Button>
            <Button look="line" onClick={() => setEnding('all')}>
              {words.empty}
            </Button>
          </>
        )}
      </PageHead>
      {items.length > 0 && (
        <p className="mb-5 max-w-[60ch] text-sm text-ink-2">
          {words.keptFor} <TrashSize />
        </p>
      )}
      {chosen.length > 0 && (
        <Chosen
          count={chosen.length}
          isBusy={isBusy}
          onRestore={() => void restore(chosen)}
          onEnd={() => setEnding(chosen)}
          onDone={marking.clear}
        />
      )}
      {list.isPending && (
        <Waiting label={words.loading}>
          <Skeleton className="late h-56 max-w-[56rem]" />
        </Waiting>
      )}
      {list.isError && items.length === 0 && (
        <CannotShow error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && items.length === 0 && (
        <EmptyState headline={words.nothing}>{words.whatComesHere}</EmptyState>
      )}
      {items.length > 0 && (
        <ul
          aria-label={words.things}
          className="max-w-[56rem] overflow-hidden rounded-mount bg-mount shadow-mount"
        >
          {items.map((item) => (
            <TrashRow
              key={keyOf(item)}
              item={item}
              isMarked={marking.keys.has(keyOf(item))}
              isBusy={isBusy}
              onMark={() => marking.toggle(keyOf(item))}
              onRestore={() => void restore([item])}
              onEnd={() => setEnding([item])}
            />
          ))}
        </ul>
      )}
      <div className="grid max-w-[56rem]">
        <ShowMore list={list} />
      </div>
      {ending !== null && <DeleteForGood items={ending} onClose={() => setEnding(null)} />}
    </>
  )
}

function TrashSize() {
  const { data } = useQuery({ queryKey: keys.vault.storage, queryFn: () => client.storage.read() })
  if (!data || data.trashBytes === 0) return null
  return <span>{words.takes({ size: formatSize(data.trashBytes) })}</span>
}

function Chosen({
  count,
  isBusy,
  onRestore,
  onEnd,
  onDone,
}: {
  count: number
  isBusy: boolean
  onRestore: () => void
  onEnd: () => void
  onDone: () => void
}) {
  return (
    <div
      role="toolbar"
      aria-label={words.selectedThings}
      className="sticky top-[54px] z-10 mb-4 flex max-w-[56rem] flex-wrap items-center gap-1 rounded-mount bg-press px-3 py-1.5 sm:top-[60px]"
    >
      <output className="me-auto text-sm font-[560] max-sm:w-full">
        {words.selected({ count })}
      </output>
      <Button size="small" look="bare" isBusy={isBusy} onClick={onRestore}>
        {words.restore}
      </Button>
      <Button size="small" look="bare" onClick={onEnd}>
        {words.deleteForGood}
      </Button>
      <Button size="small" onClick={onDone}>
        {words.done}
      </Button>
    </div>
  )
}

function keyOf({ kind, id }: Trashed): string {
  return `${kind} ${id}`
}
