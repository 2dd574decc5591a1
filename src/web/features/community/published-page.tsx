/** The user's own publications, newest first, each with a button to withdraw it. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { client } from '../../api.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { keys } from '../../query-keys.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { formatDay } from '../../words/figures.ts'
import { makingWords } from '../sessions/making-words.ts'
import { countSlides } from '../sessions/session-data.ts'
import { words } from './words.ts'

type Published = Awaited<ReturnType<typeof client.community.published>>['items'][number]

export function PublishedPage() {
  usePageTitle(words.yours)
  const list = useInfiniteQuery({
    queryKey: keys.community.published,
    queryFn: ({ pageParam }) =>
      client.community.published({ query: pageParam === null ? {} : { cursor: pageParam } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const [withdrawn, setWithdrawn] = useState<Published | null>(null)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHead title={words.yours} back={{ href: '/community', label: words.backToCommunity }} />
      {list.isPending && (
        <Waiting label={words.loading}>
          <Skeleton className="h-56 max-w-[56rem]" />
        </Waiting>
      )}
      {list.isError && <CannotShow error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && items.length === 0 && (
        <EmptyState
          headline={words.nothingOfYours}
          action={<ButtonLink href="/library">{words.toSessions}</ButtonLink>}
        >
          {words.howToPublish}
        </EmptyState>
      )}
      {items.length > 0 && (
        <ul className="max-w-[56rem] overflow-hidden rounded-mount bg-mount shadow-mount">
          {items.map((item) => (
            <Row
              key={`${item.kind}-${item.id}`}
              item={item}
              onWithdraw={() => setWithdrawn(item)}
            />
          ))}
        </ul>
      )}
      <div className="grid max-w-[56rem]">
        <ShowMore list={list} />
      </div>
      {withdrawn && <Withdraw item={withdrawn} onClose={() => setWithdrawn(null)} />}
    </>
  )
}

function Row({ item, onWithdraw }: { item: Published; onWithdraw: () => void }) {
  return (
    <li className="flex items-center gap-4 border-t border-hairline p-3 first:border-0 sm:px-4">
      <Picture item={item} />
      <div className="min-w-0 grow">
        {item.kind === 'session' ? (
          <Link
            href={`/community/${item.id}`}
            className="show-voice block truncate text-lg font-[500] hover:underline"
          >
            <bdi>{item.title}</bdi>
          </Link>
        ) : (
          <p className="truncate font-[560]">{words.onePicture}</p>
        )}
        <p className="text-xs text-ink-3">
          {words.publishedOn({ day: formatDay(new Date(item.publishedAt)) })}
          {item.kind === 'session' && ` · ${countSlides(item.mediaCount)}`}
          {item.kind === 'session' && item.savedCount > 0 && (
            <> · {words.saved({ count: item.savedCount })}</>
          )}
        </p>
      </div>
      {item.sourceId !== null && (
        <Button
          look="line"
          size="small"
          aria-label={words.withdrawOne({ title: titleOf(item) })}
          onClick={onWithdraw}
        >
          {words.withdraw}
        </Button>
      )}
    </li>
  )
}

function Picture({ item }: { item: Published }) {
  return (
    <div className="grid h-16 w-24 shrink-0 place-items-center overflow-hidden rounded-aperture bg-well text-ink-3">
      {item.thumbnail === null ? (
        <EyeOff size={18} aria-hidden="true" />
      ) : (
        <img
          src={item.thumbnail}
          alt=""
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
        />
      )}
    </div>
  )
}

function Withdraw({ item, onClose }: { item: Published; onClose: () => void }) {
  const queryClient = useQueryClient()
  async function withdraw() {
    const params = { id: String(item.sourceId) }
    if (item.kind === 'session')
      await client.sessions.update({ params, body: { shareToCommunity: false } })
    else await client.vault.unshare({ params })
    showToast({ text: words.isWithdrawn })
    await Promise.all(
      [keys.community.all, keys.sessions.all, keys.session.all, keys.vault.all].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
  }
  return (
    <ConfirmDialog
      question={words.askWithdraw({ title: titleOf(item) })}
      consequence={item.kind === 'session' ? makingWords.withdrawConsequence : words.linkGoesToo}
      keep={makingWords.leaveThere}
      action={words.withdraw}
      run={withdraw}
      onClose={onClose}
    />
  )
}

function titleOf(item: Published): string {
  return item.kind === 'session' ? item.title : words.onePicture
}
